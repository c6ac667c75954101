import type { CodePointSet } from './code-point-set.ts';

/** What the parser makes of a pattern. Flags such as `i` are already worked into the sets. */
export type Syntax =
  | { readonly kind: 'empty' }
  /** One code point out of a set; an empty set matches nothing. Equal sets of one pattern are the same object. */
  | { readonly kind: 'set'; readonly set: CodePointSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly items: readonly Syntax[] }
  /** The first option that leads to a match is preferred. */
  | { readonly kind: 'choice'; readonly options: readonly Syntax[] }
  | {
      readonly kind: 'repeat';
      readonly item: Syntax;
      readonly min: number;
      /** Infinity: no bound. */
      readonly max: number;
      /** Fewer rounds are preferred to more. */
      readonly lazy: boolean;
    };

/** `^`, `$`, `\A`, `\z`, `\b` and `\B`, in this order. */
export type Assertion = 'line-start' | 'line-end' | 'text-start' | 'text-end' | 'word-edge' | 'no-word-edge';

export const EMPTY: Syntax = { kind: 'empty' };

export function matchesEmpty(syntax: Syntax): boolean {
  switch (syntax.kind) {
    case 'empty':
    case 'assertion':
      return true;
    case 'set':
      return false;
    case 'sequence':
      return syntax.items.every(matchesEmpty);
    case 'choice':
      return syntax.options.some(matchesEmpty);
    case 'repeat':
      return syntax.min === 0 || matchesEmpty(syntax.item);
  }
}
