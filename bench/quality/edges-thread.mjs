/** A thread of the search pool for edges-index.mjs: what the built resolver says of each use and import of one file. */
import { built, builtFile } from '../support/built.mjs';

const { FactsReader, startSearchThread } = await built('search');
const { GraphView } = await builtFile('symbols/graph/graph-view.js');
const { FactsCache } = await builtFile('symbols/graph/facts-cache.js');

const reader = new FactsReader();
const cache = new FactsCache(reader);
const views = new WeakMap();

startSearchThread((question, ground) => {
  let view = views.get(ground.view);
  if (view === undefined) {
    view = new GraphView(ground, reader, cache);
    views.set(ground.view, view);
  }
  view.use(ground);
  const revision = ground.shown.findIndex(({ repository }) => repository.id === question.repositoryId);
  const file = revision < 0 ? 0 : view.fileAt(revision, question.path);
  if (file === 0) return { facts: null, next: null };
  const bytes = view.texts.bytesOf(file) ?? Buffer.alloc(0);
  const lineStarts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lineStarts.push(at + 1);
  const facts = {
    text: bytes.toString('utf8'),
    missing: view.factsMissing(file),
    definitions: view.symbolsOf(file).map(({ name, kind, nameLine, startLine, endLine, parent }) => {
      return { name, kind, line: nameLine, startLine, endLine, parent };
    }),
    references: view.referencesOf(file).map((use) => ({
      name: use.name,
      kind: use.kind,
      line: use.line,
      column: bytes.toString('utf8', lineStarts[use.line - 1], use.start).length,
      receiver: use.receiver,
      receiverType: use.receiverType,
      meant: view.resolver.resolve(file, use).map(placed),
    })),
    imports: view.importsOf(file).map((one) => ({
      ...one,
      meant: view.resolver.resolveImport(file, one).map(placed),
    })),
  };
  return { facts, next: null };

  function placed({ file: at, symbol, how, confidence }) {
    const definition = view.symbolsOf(at)[symbol];
    return {
      repositoryId: view.repositoryOf(at),
      path: view.pathOf(at),
      line: definition?.nameLine ?? 0,
      name: definition?.name ?? null,
      kind: definition?.kind ?? 'module',
      how,
      confidence,
    };
  }
});
