import type { FactsOutcome, SymbolFact } from '../../search/index.ts';

/** Facts as lines that a person can check against the source beside them. */
export function factsText(outcome: FactsOutcome, source: Uint8Array): string {
  if (!('facts' in outcome)) return `skipped: ${outcome.skipped}\n`;
  const { symbols, references, imports, namespace, packageFile } = outcome.facts;
  const bytes = Buffer.from(source);
  const cut = (start: number, end: number) => bytes.toString('utf8', start, end).replace(/\s+/g, ' ');
  const fullName = (symbol: number): string => {
    if (symbol < 0) return '(top)';
    const { name, parent } = symbols[symbol]!;
    return parent < 0 ? name : `${fullName(parent)}.${name}`;
  };
  const depth = ({ parent }: SymbolFact): number => (parent < 0 ? 0 : 1 + depth(symbols[parent]!));
  const lines: string[] = [];
  if (namespace !== null) lines.push(`namespace ${namespace}`, '');
  if (imports.length > 0) {
    lines.push('imports');
    for (const one of imports) {
      const marks = [one.reexport ? 'handed on' : '', one.relative ? 'relative' : ''].filter(Boolean);
      const bound = one.local === '' ? '' : ` as ${one.local}`;
      lines.push(
        `  ${one.line}: ${one.name}${bound} from ${one.module}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`,
      );
    }
    lines.push('');
  }
  if (symbols.length > 0) {
    lines.push('symbols');
    for (const symbol of symbols) {
      const { name, kind, nameLine, startLine, endLine, exported, type } = symbol;
      const written = cut(symbol.nameStart, symbol.nameEnd);
      lines.push(
        `  ${'  '.repeat(depth(symbol))}${nameLine} ${kind} ${name}${written === name ? '' : ` (written ${written})`}` +
          `${exported ? ' exported' : ''}${type === null ? '' : ` : ${type}`} lines ${startLine}-${endLine}` +
          ` | ${cut(symbol.signatureStart, symbol.signatureEnd)}` +
          `${symbol.docStart < 0 ? '' : ` | ${shortened(cut(symbol.docStart, symbol.docEnd))}`}`,
      );
    }
    lines.push('');
  }
  if (references.length > 0) {
    lines.push('references');
    for (const one of references) {
      const receiver = one.receiver === null ? '' : ` on ${one.receiver}`;
      const type = one.receiverType === null ? '' : ` : ${one.receiverType}`;
      const written = cut(one.start, one.start + Buffer.byteLength(one.name));
      lines.push(
        `  ${one.line}: ${one.kind} ${one.name}${written === one.name ? '' : ` (at ${written})`}${receiver}${type} in ${fullName(one.from)}`,
      );
    }
    lines.push('');
  }
  if (packageFile !== null) {
    lines.push(
      `package ${packageFile.name ?? '(none)'} ${packageFile.version ?? ''} of ${packageFile.ecosystem}`,
    );
    for (const one of packageFile.dependencies) {
      lines.push(`  ${one.line}: ${one.name} ${one.version} (${one.scope})`);
    }
    if (packageFile.extra !== null) lines.push(`  extra ${packageFile.extra}`);
    lines.push('');
  }
  return lines.join('\n');
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
