import type { ImportDraft } from '../../extractor/language-definition.ts';
import type { SyntaxTree } from '../../extractor/syntax-tree.ts';

/** Every name of `use a::{b, c::{self, D as E}, f::*};`, of `extern crate a;` and of `mod a;`. */
export function useImports(tree: SyntaxTree, node: number): readonly ImportDraft[] {
  const type = tree.type(node);
  if (type === 'use_declaration') return usedNames(tree, node);
  const name = tree.childInField(node, 'name');
  if (name < 0) return [];
  const written = tree.textOf(name);
  const draft = { name: '*', reexport: false, at: tree.start[name]! };
  if (type === 'mod_item') return [{ ...draft, module: `self::${written}`, local: written, relative: true }];
  const alias = tree.childInField(node, 'alias');
  return [{ ...draft, module: written, local: alias < 0 ? written : tree.textOf(alias), relative: false }];
}

function usedNames(tree: SyntaxTree, declaration: number): ImportDraft[] {
  const argument = tree.childInField(declaration, 'argument');
  if (argument < 0) return [];
  const reexport = tree.childOfType(declaration, 'visibility_modifier') >= 0;
  const drafts: ImportDraft[] = [];
  const open: { node: number; prefix: string }[] = [{ node: argument, prefix: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, prefix } = next;
    switch (tree.type(node)) {
      case 'use_list':
        for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
          if (tree.isNamed(child)) open.push({ node: child, prefix });
        }
        break;
      case 'scoped_use_list': {
        const path = tree.childInField(node, 'path');
        const list = tree.childInField(node, 'list');
        if (list >= 0)
          open.push({ node: list, prefix: path < 0 ? prefix : joined(prefix, tree.textOf(path)) });
        break;
      }
      case 'use_wildcard': {
        const module = joined(prefix, tree.textOf(node).replace(/(?:::)?\*$/, ''));
        drafts.push(draftOf({ module, name: '*', local: '', reexport, at: tree.start[node]! }));
        break;
      }
      case 'use_as_clause': {
        const path = tree.childInField(node, 'path');
        const alias = tree.childInField(node, 'alias');
        if (path < 0 || alias < 0) break;
        const local = tree.textOf(alias);
        drafts.push(
          named(joined(prefix, tree.textOf(path)), local === '_' ? '' : local, reexport, tree.start[path]!),
        );
        break;
      }
      default:
        if (tree.type(node) !== 'line_comment' && tree.type(node) !== 'block_comment') {
          drafts.push(named(joined(prefix, tree.textOf(node)), null, reexport, tree.start[node]!));
        }
    }
  }
  return drafts;
}

/** `a::b::self` is `a::b`. */
function named(path: string, local: string | null, reexport: boolean, at: number): ImportDraft {
  const whole = path.replace(/::self$/, '');
  const cut = whole.lastIndexOf('::');
  const name = cut < 0 ? '*' : whole.slice(cut + 2);
  const module = cut < 0 ? whole : whole.slice(0, cut);
  return draftOf({ module, name, local: local ?? (cut < 0 ? whole : name), reexport, at });
}

function draftOf(draft: Omit<ImportDraft, 'relative'>): ImportDraft {
  const module = draft.module.replace(/^::/, '').replace(/\s+/g, '');
  return { ...draft, module, relative: /^(?:crate|self|super)\b/.test(module) };
}

function joined(prefix: string, path: string): string {
  return prefix === '' ? path : `${prefix}::${path}`;
}
