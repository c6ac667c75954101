import type { VectorKind } from '../types.ts';

/** One text for one kind. */
export function kindName({ model, dimensions, preparation }: VectorKind): string {
  return `${model}/${dimensions}/${preparation}`;
}

export function isSameKind(a: VectorKind, b: VectorKind): boolean {
  return kindName(a) === kindName(b);
}
