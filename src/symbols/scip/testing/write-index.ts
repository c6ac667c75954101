import { create, toBinary } from '@bufbuild/protobuf';
import { IndexSchema } from '@c4312/scip/scip_pb.js';

/** A SCIP index in words. */
export interface WrittenIndex {
  documents: readonly WrittenDocument[];
}

export interface WrittenDocument {
  path: string;
  /** `LINE COLUMN [END LINE] END COLUMN defines|uses SYMBOL`, all from 0. */
  occurrences: readonly string[];
  /** Pairs: the first is an implementation of the second. */
  implementations?: readonly (readonly string[])[];
  /** 0 says nothing, 1 bytes, 2 units of UTF-16, 3 characters. */
  positionEncoding?: 0 | 1 | 2 | 3;
}

/** The bytes of an index, as an indexer writes them. */
export function indexBytes({ documents }: WrittenIndex): Uint8Array {
  const index = create(IndexSchema, {
    metadata: { toolInfo: { name: 'scip-typescript', version: '0.4.0' }, projectRoot: 'file:///ci/project' },
    documents: documents.map(({ path, occurrences, implementations = [], positionEncoding = 0 }) => ({
      relativePath: path,
      positionEncoding,
      occurrences: occurrences.map((written) => {
        const [, range, role, symbol] = /^((?:-?\d+ ){3,4})(defines|uses) (.*)$/s.exec(written)!;
        return {
          range: range!.trim().split(' ').map(Number),
          symbol: symbol!,
          symbolRoles: role === 'defines' ? 1 : 0,
        };
      }),
      symbols: implementations.map(([symbol = '', of = '']) => ({
        symbol,
        documentation: ['What nobody asks for.'],
        relationships: [{ symbol: of, isImplementation: true }],
      })),
    })),
  });
  return toBinary(IndexSchema, index);
}
