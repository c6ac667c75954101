import { compileRegex, type QueryNode, type ScopeRepository, type TextPattern } from '../../search/index.ts';

/** What a filter asks of one. */
export type NamedRepository = Pick<ScopeRepository, 'host' | 'name' | 'archived' | 'fork'>;

/** Whether nothing else is asked than which repositories there are. */
export function asksRepositoriesAlone(root: QueryNode): boolean {
  if (root.kind === 'all') return root.of.every(asksRepositoriesAlone);
  return root.kind === 'everything' || saysRepositories(root);
}

/** What the query says of repositories, as far as it stands at its top. */
export function repositoryFilter(root: QueryNode): (repository: NamedRepository) => boolean {
  const said = root.kind === 'all' ? root.of : [root];
  const parts = said.filter(saysRepositories).map(fitOf);
  return (repository) => parts.every((fits) => fits(repository));
}

/** Whether a part of a query is decided by the repository alone. */
export function saysRepositories(node: QueryNode): boolean {
  switch (node.kind) {
    case 'repository':
    case 'archived':
    case 'fork':
      return true;
    case 'not':
      return saysRepositories(node.of);
    case 'all':
    case 'any':
      return node.of.length > 0 && node.of.every(saysRepositories);
    default:
      return false;
  }
}

function fitOf(node: QueryNode): (repository: NamedRepository) => boolean {
  switch (node.kind) {
    case 'repository':
      return nameFits(node.pattern);
    case 'archived':
      return ({ archived }) => archived === node.is;
    case 'fork':
      return ({ fork }) => fork === node.is;
    case 'not': {
      const fits = fitOf(node.of);
      return (repository) => !fits(repository);
    }
    case 'all': {
      const parts = node.of.map(fitOf);
      return (repository) => parts.every((fits) => fits(repository));
    }
    case 'any': {
      const parts = node.of.map(fitOf);
      return (repository) => parts.some((fits) => fits(repository));
    }
    default:
      return () => true;
  }
}

/** Over `owner/name` and `host/owner/name`. */
export function nameFits(pattern: TextPattern): (repository: NamedRepository) => boolean {
  const regex = compileRegex(pattern.source, pattern);
  return ({ host, name }) => regex.test(Buffer.from(name)) || regex.test(Buffer.from(`${host}/${name}`));
}
