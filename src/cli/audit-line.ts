import type { AuditEntry } from '../access/index.ts';

/** One entry for eyes: who, what, of what, how it ended, and what the operation noted. */
export function auditLine(entry: AuditEntry & { atMs: number }): string {
  const { atMs, subject, onBehalfOf, operation, repositories, outcome, detail } = entry;
  const who = onBehalfOf ? `${subject} for ${onBehalfOf}` : subject;
  const words = [
    new Date(atMs).toISOString(),
    who,
    operation,
    repositories.join(','),
    outcome,
    noted(detail),
  ];
  return words.join('  ').trimEnd();
}

function noted(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key}=${shown(key, value)}`)
    .join(' ');
}

function shown(key: string, value: unknown): string {
  if (key === 'subject' && isSubject(value)) return `${value.kind}:${value.name}`;
  if (key.endsWith('Ms') && typeof value === 'number') return new Date(value).toISOString();
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

function isSubject(value: unknown): value is { kind: string; name: string } {
  return typeof value === 'object' && value !== null && 'kind' in value && 'name' in value;
}
