import { describe, expect, it } from 'vitest';
import { looksDefined } from './definition-look.ts';

/** `@` stands before the name `total`. */
function check(line: string, expected: boolean): void {
  it(`${line} ${expected ? 'defines' : 'uses'} it`, () => {
    const text = Buffer.from(`first line\n${line.replace('@', '')}\nlast line\n`);
    const start = 'first line\n'.length + line.indexOf('@');
    const range = { from: 0, to: text.length };
    expect(looksDefined(text, range, start, start + 'total'.length)).toBe(expected);
  });
}

describe('a line that defines a name is told from one that uses it', () => {
  check('func @total(a int) int {', true);
  check('func (s *Sum) @total() int {', true);
  check('def @total(self):', true);
  check('  def self.@total', true);
  check('export const @total = 1;', true);
  check('class @total extends Sum {', true);
  check('struct @total {', true);
  check('#define @total(x) x', true);
  check('static int @total(struct sum *s) {', true);
  check('char *@total(void)', true);
  check('    public List<Integer> @total(int a) {', true);
  check('  @total(a, b) {', true);
  check('Sum.prototype.@total = function () {', true);
  check('function Sum:@total()', true);
  check('@total = 3', true);
  check('pub fn @total<T>(a: T) {', true);

  check('return @total(a);', false);
  check('  x = @total(a)', false);
  check('  @total(a, b);', false);
  check('struct @total *next;', false);
  check('// func @total(a)', false);
  check(' * the function @total', false);
  check('import @total from "sum"', false);
  check('  if not @total(a) {', false);
  check('new @total(a) {', false);
  check('sum.@total()', false);
  check('("@total")', false);
  check('@total == 3', false);
});
