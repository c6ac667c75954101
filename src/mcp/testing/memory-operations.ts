import type { Caller } from '../../access/index.ts';
import { cancelled, invalidRequest, PeriscopeError } from '../../base/errors.ts';
import type { Listen, Operations, ToolAnswer, ToolCall } from '../../operations/index.ts';

export interface SeenCall {
  call: ToolCall;
  caller: Caller;
}

/**
 * Operations over a few files in memory, for tests of the surfaces: which repositories a caller sees is the caller's groups, one
 * group per repository. `read_file` with the path `hangs` waits until it is cancelled, `fails` throws what nobody foresaw,
 * `busy` asks to wait, `slow` has something to say before the whole.
 */
export function memoryOperations(): Operations & { seen: SeenCall[]; cancelledCalls: number } {
  const seen: SeenCall[] = [];
  const visible = (caller: Caller) => [...caller.groups].sort();
  const operations = {
    seen,
    cancelledCalls: 0,
    list: () => [
      description('codesearch_repos', 'List repositories', {}),
      description('read_file', 'Read a file', { repo: { type: 'string' }, path: { type: 'string' } }),
    ],
    knows: (name: string) => ['codesearch_repos', 'read_file', 'cat'].includes(name),
    instructions: () => 'Repositories are read in place.',
    async handle(call: ToolCall, caller: Caller, listen?: Listen): Promise<ToolAnswer> {
      seen.push({ call, caller });
      if (call.name === 'codesearch_repos') return answer(call.name, visible(caller).join('\n'));
      if (call.name === 'list_directory') return listing(call, caller);
      if (call.name !== 'read_file' && call.name !== 'cat') {
        throw invalidRequest('test/no-tool', `There is no tool "${call.name}".`, 'Call read_file.');
      }
      const { repo, path } = call.input as { repo?: string; path?: string };
      if (typeof repo !== 'string') throw invalidRequest('test/repo', 'repo is missing.', 'Name the repo.');
      if (!visible(caller).includes(repo)) {
        throw new PeriscopeError(
          'not-found-or-no-access',
          'test/hidden',
          `There is no repository "${repo}" that you can read.`,
          'List what you can read with codesearch_repos.',
        );
      }
      if (path === 'slow') listen?.onFirst(answer('read_file', 'the first part'));
      if (path === 'hangs') await untilCancelled(caller.signal);
      if (path === 'fails') throw new Error('secret detail of a fault');
      if (path === 'busy') {
        throw new PeriscopeError('busy', 'test/busy', 'Being cloned.', 'Wait and call again.', {
          data: { retryAfterMs: 2500 },
        });
      }
      return answer('read_file', `${repo}:${path}\n1\tfirst line`);
    },
    async mentions(query: string, caller: Caller, limit: number) {
      const names = visible(caller).filter((name) => name.includes(query));
      return {
        mentions: names.slice(0, limit).map((name) => ({
          name,
          host: 'git.example',
          defaultBranch: 'main',
          insert: `@repo:${name}`,
        })),
        reason: names.length === 0 ? 'No repository matches.' : null,
      };
    },
    async expandMentions(text: string, caller: Caller) {
      const name = text.slice('@repo:'.length);
      return visible(caller).includes(name) ? `Work with ${name}.` : `No repository "${name}".`;
    },
  };

  function listing(call: ToolCall, caller: Caller): ToolAnswer {
    const { repo, path } = call.input as { repo: string; path: string };
    const children = visible(caller).includes(repo) ? ['main.ts', 'make.ts', 'lib'] : [];
    const entries = children.map((name) => ({
      path: `${path}${name}`,
      kind: name === 'lib' ? 'directory' : 'file',
    }));
    return { ...answer(call.name, repo), result: { entries } };
  }

  async function untilCancelled(signal: AbortSignal): Promise<never> {
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    operations.cancelledCalls++;
    throw cancelled();
  }
  return operations;
}

function description(name: string, title: string, properties: object) {
  return {
    name,
    title,
    description: `${title}. Example: {}`,
    readOnly: true as const,
    inputSchema: { type: 'object', properties, additionalProperties: false },
    outputSchema: { type: 'object', properties: { head: { type: 'string' } }, additionalProperties: true },
  };
}

function answer(tool: string, text: string): ToolAnswer {
  return { tool, text, result: { head: text }, notes: [], cut: false, cursor: null, found: text !== '' };
}

export function testCaller(groups: readonly string[], facts: Partial<Caller> = {}): Caller {
  return {
    subject: { kind: 'person', name: 'ada' },
    onBehalfOf: null,
    account: 'ada',
    groups,
    forgeAccounts: [],
    scopes: ['read'],
    destination: 'local',
    conversation: { id: 'test', certainty: 'exact' },
    signal: new AbortController().signal,
    ...facts,
  };
}
