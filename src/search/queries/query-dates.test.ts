import { expect, it } from 'vitest';
import { parseDate } from './query-dates.ts';

for (const [written, expected] of [
  ['2024', '2024-01-01T00:00:00Z'],
  ['2024-02', '2024-02-01T00:00:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['2024/2/9', '2024-02-09T00:00:00Z'],
  ['2024-02-29T10:30', '2024-02-29T10:30:00Z'],
  ['2024-02-29 10:30:15Z', '2024-02-29T10:30:15Z'],
  ['2024-02-29T10:30:15.123+02:00', '2024-02-29T08:30:15Z'],
  ['2024-02-29T10:30:00-0130', '2024-02-29T12:00:00Z'],
  ['now', '2024-06-15T12:00:00Z'],
  ['today', '2024-06-15T00:00:00Z'],
  ['Yesterday', '2024-06-14T00:00:00Z'],
  ['2 weeks ago', '2024-06-01T12:00:00Z'],
  ['a day ago', '2024-06-14T12:00:00Z'],
  ['3.days.ago', '2024-06-12T12:00:00Z'],
  ['12h', '2024-06-15T00:00:00Z'],
  ['last week', '2024-06-08T12:00:00Z'],
  ['1700000000', '2023-11-14T22:13:20Z'],
  ['2023-02-29', null],
  ['2024-13-01', null],
  ['2024-01-01T25:00', null],
  ['soon', null],
  ['', null],
  ['-1', null],
] as const) {
  it(`${written} is ${expected ?? 'no date'}`, () => {
    const date = parseDate(written, Date.parse('2024-06-15T12:00:00Z'));
    expect(date === null ? null : new Date(date).toISOString().replace('.000', '')).toBe(expected);
  });
}
