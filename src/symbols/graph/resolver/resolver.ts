import type { ImportFact, ReferenceFact } from '../../../search/index.ts';
import { ImportedRevisions } from './imported-revisions.ts';
import { isHolder, isType } from './kind-fit.ts';
import { MemberUses } from './member-uses.ts';
import { ModuleExports } from './module-exports.ts';
import { ModuleTargets } from './module-targets.ts';
import { NameCandidates } from './name-candidates.ts';
import { OnceInFile } from './once-in-file.ts';
import { PlainUses } from './plain-uses.ts';
import { TypeMembers } from './type-members.ts';
import type { Resolved, ResolverTree } from './types.ts';

/** From a use to its definitions, by the rules of its language as far as names, imports and declared types tell. */
export class Resolver {
  readonly modules: ModuleTargets;
  readonly exports: ModuleExports;
  readonly members: TypeMembers;
  readonly #tree: ResolverTree;
  readonly #plain: PlainUses;
  readonly #member: MemberUses;

  constructor(tree: ResolverTree) {
    this.#tree = tree;
    const modules = new ModuleTargets(tree);
    const exports = new ModuleExports(tree, modules);
    const members = new TypeMembers(
      tree,
      (file, reference) =>
        tree.exactly(file, reference.start, reference.kind) ?? this.#types(file, reference),
    );
    const once = new OnceInFile();
    const candidates = new NameCandidates(tree, new ImportedRevisions(tree, modules, exports), once);
    this.#plain = new PlainUses(tree, { modules, exports, members, candidates, once });
    this.#member = new MemberUses(tree, { modules, exports, members, candidates, plain: this.#plain });
    this.modules = modules;
    this.exports = exports;
    this.members = members;
  }

  resolve(file: number, use: ReferenceFact): readonly Resolved[] {
    const exact = this.#tree.exactly(file, use.start, use.kind);
    if (exact !== null) return exact;
    const isMemberUse = use.receiver !== null || use.kind === 'member-call' || use.kind === 'member';
    return (isMemberUse ? this.#member.resolve(file, use) : this.#plain.resolve(file, use)).found;
  }

  /** What an imported name leads to: definitions, or files as modules. Empty for what is not visible. */
  resolveImport(file: number, one: ImportFact): readonly Resolved[] {
    // What stands there is the module.
    const exact = one.name === '*' ? this.#tree.exactly(file, one.start, null) : null;
    return exact ?? this.#plain.imported(file, one, null).found;
  }

  /** Types that a name means, nothing that is only possible. */
  #types(file: number, use: ReferenceFact): readonly Resolved[] {
    const { found } =
      use.receiver === null ? this.#plain.resolve(file, use) : this.#member.resolve(file, use);
    return found.filter(({ file: at, symbol, confidence }) => {
      const kind = this.#tree.symbolsOf(at)[symbol]?.kind;
      return confidence !== 'possible' && kind !== undefined && (isType(kind) || isHolder(kind));
    });
  }
}
