import { describe, expect, it } from 'vitest';
import type { GraphAnswer, GraphNode, GraphRelation } from '../../symbols/index.ts';
import { unnamedSubtypesSaid } from './unnamed-subtypes.ts';

const type = (language: string, symbolKind: GraphNode['symbolKind']) =>
  ({ language, symbolKind }) as GraphNode;
const found = (node: GraphNode, how?: 'scip') =>
  ({ targets: [0], nodes: [node], edges: how ? [{ how }] : [] }) as unknown as GraphAnswer;

describe('subtypes that no head names are told of, where the target may have such', () => {
  const check = (relation: GraphRelation, answer: GraphAnswer, expected: string[]) =>
    it(`${relation} of ${JSON.stringify(answer.nodes[0])}`, () => {
      const said = unnamedSubtypesSaid(relation, answer);
      expect(said).toHaveLength(expected.length);
      for (const [at, part] of expected.entries()) expect(said[at]).toContain(part);
    });
  check('subtypes', found(type('Go', 'interface')), ['without naming it']);
  check('subtypes', found(type('Go', 'interface'), 'scip'), []);
  check('subtypes', found(type('Go', 'struct')), []);
  check('supertypes', found(type('Go', 'interface')), []);
  check('subtypes', found(type('Java', 'class')), ['anonymous classes']);
  check('subtypes', found(type('Java', 'interface')), ['anonymous classes']);
  check('subtypes', found(type('Java', 'enum')), []);
  check('subtypes', found(type('TypeScript', 'interface')), []);
});
