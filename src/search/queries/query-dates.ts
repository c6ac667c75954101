const DAY_MS = 86_400_000;
const unitsMs: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  year: 365 * DAY_MS,
};
const shortUnits: Readonly<Record<string, string>> = {
  s: 'second',
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  mo: 'month',
  y: 'year',
};

/**
 * A moment as people write it: `2024`, `2024-01`, `2024-01-31`, with a time, `today`, `yesterday`, `last week`, `2 weeks ago`, `2w`, seconds since
 * 1970. Without a zone it is UTC. Null when it is none.
 */
export function parseDate(text: string, nowMs: number): number | null {
  const written = text.trim().toLowerCase();
  const midnight = nowMs - (nowMs % DAY_MS);
  if (written === 'now') return nowMs;
  if (written === 'today') return midnight;
  if (written === 'yesterday') return midnight - DAY_MS;
  const last = /^last[ _.-](week|month|year|day)$/.exec(written);
  if (last) return nowMs - unitsMs[last[1]!]!;
  const ago = /^(\d{1,6}|an?|one)[ _.-]?([a-z]+?)s?(?:[ _.-]ago)?$/.exec(written);
  if (ago) {
    const unit = unitsMs[ago[2]!] ?? unitsMs[shortUnits[ago[2]!] ?? ''];
    if (unit !== undefined) return nowMs - unit * (/^\d/.test(ago[1]!) ? Number(ago[1]) : 1);
  }
  if (/^\d{9,11}$/.test(written)) return Number(written) * 1000;
  return calendarDate(written);
}

function calendarDate(written: string): number | null {
  const found =
    /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})(?:[t ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(z|utc|[+-]\d{2}:?\d{2})?)?)?)?$/.exec(
      written,
    );
  if (!found) return null;
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0', zone = 'z'] = found;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // The calendar rolls over what does not exist, such as the 30th of February.
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!exists || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const atUtc = date.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (!offset) return atUtc;
  const minutes = Number(offset[2]) * 60 + Number(offset[3]);
  return atUtc - (offset[1] === '-' ? -1 : 1) * minutes * 60_000;
}
