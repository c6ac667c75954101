import { type SymbolKind, symbolKinds } from '../facts/types.ts';

/** On zoekt's scale: the whole name of a definition, an edge of it, a part of it. */
export const WHOLE_SYMBOL = 7000;
export const EDGE_OF_SYMBOL = 5500;
export const PART_OF_SYMBOL = 4000;

/** What is taken from the score of a definition that is less often what somebody looks for; data and prose more than half of it. */
const LESS: Partial<Record<SymbolKind, number>> = {
  constructor: 400,
  field: 400,
  property: 400,
  constant: 200,
  variable: 300,
  'enum-member': 300,
  implementation: 600,
  namespace: 500,
  module: 300,
  package: 600,
  element: 2500,
  selector: 2500,
  key: 3500,
  heading: 3000,
  column: 1500,
  anchor: 3500,
  resource: 1000,
  target: 1500,
  stage: 1500,
};

/** By position in `symbolKinds`. */
export const lessOfKind = Uint16Array.from(symbolKinds, (kind) => LESS[kind] ?? 0);
