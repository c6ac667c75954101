import { randomUUID } from 'node:crypto';
import {
  type CompleteResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { Caller } from '../access/index.ts';
import { asPeriscopeError } from '../base/errors.ts';
import type { MentionJson } from '../contract/index.ts';
import { mentionOf } from '../operations/index.ts';
import { errorText } from './error-text.ts';
import {
  type FilePlace,
  fileTemplate,
  parseResourceUri,
  repositoryTemplate,
  repositoryUri,
} from './resource-uris.ts';
import type { McpDeps } from './types.ts';

const pageSize = 200;
/** The protocol's bound of one completion. */
const completionsMax = 100;
/** Repositories looked at to tell whether a name is one's. */
const namesakesMax = 1000;
/** A directory's listing, for completion: no model reads it. */
const completionTokens = 8000;

export interface McpResources {
  templates(): ListResourceTemplatesResult;
  list(cursor: string | undefined, caller: Caller): Promise<ListResourcesResult>;
  read(uri: string, caller: Caller): Promise<ReadResourceResult>;
  complete(wanted: CompletionWanted, caller: Caller): Promise<CompleteResult>;
}

export interface CompletionWanted {
  /** The template's URI; null when something else than a resource is completed. */
  template: string | null;
  argument: string;
  value: string;
  /** What the client has filled in for the template's other parameters. */
  filled: Readonly<Record<string, string>>;
}

/** Repositories as resources, files through a template. Everything comes from the operations, so the same gate, bounds and masks hold. */
export function createMcpResources({ operations, logger }: McpDeps): McpResources {
  const templates: ListResourceTemplatesResult = {
    resourceTemplates: [
      {
        uriTemplate: repositoryTemplate,
        name: 'repository',
        title: 'Repository',
        description: 'What an agent should know to work with one repository. name: owner/name.',
        mimeType: 'text/markdown',
      },
      {
        uriTemplate: fileTemplate,
        name: 'file',
        title: 'File of a repository',
        description:
          'The first lines of a file on the default branch. repository: owner/name, path: src/main.ts; periscope://file/owner/name/src/main.ts.',
        mimeType: 'text/plain',
      },
    ],
  };

  return {
    templates: () => templates,

    async list(cursor, caller) {
      const from = offsetOf(cursor);
      const { mentions } = await operations.mentions('', caller, from + pageSize + 1);
      return {
        resources: mentions.slice(from, from + pageSize).map(repositoryResource),
        ...(mentions.length > from + pageSize ? { nextCursor: String(from + pageSize) } : {}),
      };
    },

    async read(uri, caller) {
      const address = parseResourceUri(uri);
      if (!address) throw new ResourceNotFoundError(uri, `There is no resource ${uri}.`);
      if (address.kind === 'repository') {
        const name = await repositoryNamed(address.name, caller);
        if (name === null) throw new ResourceNotFoundError(uri, noSuchRepository(address.name));
        const text = await operations.expandMentions(mentionOf(name), caller);
        return { contents: [{ uri, mimeType: 'text/markdown', text }] };
      }
      const { repository, path } = await placeOf(address.places, caller);
      const text = await readFile(uri, { repo: repository, path }, caller);
      return { contents: [{ uri, mimeType: 'text/plain', text }] };
    },

    async complete({ template, argument, value, filled }, caller) {
      if (template === fileTemplate && argument === 'path') {
        return { completion: await pathsBelow(filled['repository'] ?? '', value, caller) };
      }
      const completesRepository =
        (template === repositoryTemplate && argument === 'name') ||
        (template === fileTemplate && argument === 'repository');
      if (!completesRepository) return { completion: { values: [] } };
      const { mentions } = await operations.mentions(value, caller, completionsMax + 1);
      return {
        completion: {
          values: mentions.slice(0, completionsMax).map((mention) => mention.name),
          hasMore: mentions.length > completionsMax,
        },
      };
    },
  };

  /** The name that the operations know such a repository by; null when the caller can see none, or more than one, of that name. */
  async function repositoryNamed(name: string, caller: Caller): Promise<string | null> {
    const wanted = name.toLowerCase();
    const found = new Set<string>();
    // With a host in front the name itself is what follows.
    for (const query of [name, name.slice(name.indexOf('/') + 1)]) {
      const { mentions } = await operations.mentions(query, caller, namesakesMax);
      for (const mention of mentions) {
        const whole = `${mention.host}/${mention.name}`.toLowerCase();
        const short = mention.name.toLowerCase();
        if (short === wanted || whole === wanted) return mention.name;
        if (short.endsWith(`/${wanted}`)) found.add(mention.name);
      }
    }
    return found.size === 1 ? [...found][0]! : null;
  }

  /** The longest name that is a repository's. Where none is, the shortest: what is said of it holds for all. */
  async function placeOf(places: readonly FilePlace[], caller: Caller): Promise<FilePlace> {
    for (const place of places) {
      const repository = await repositoryNamed(place.repository, caller);
      if (repository !== null) return { repository, path: place.path };
    }
    return places.at(-1)!;
  }

  async function pathsBelow(repo: string, typed: string, caller: Caller) {
    const path = typed.slice(0, typed.lastIndexOf('/') + 1);
    try {
      const call = { name: 'list_directory', input: { repo, path, max_tokens: completionTokens } };
      const { result, cut } = await operations.handle(call, besideConversation(caller));
      const entries = (result['entries'] ?? []) as readonly { path: string; kind: string }[];
      const values = entries
        .filter((entry) => entry.path.startsWith(typed))
        .map((entry) => (entry.kind === 'directory' ? `${entry.path}/` : entry.path));
      return { values: values.slice(0, completionsMax), hasMore: cut || values.length > completionsMax };
    } catch {
      // A picker that cannot be filled stays empty; it is no place for an error.
      return { values: [] };
    }
  }

  async function readFile(uri: string, input: object, caller: Caller): Promise<string> {
    try {
      return (await operations.handle({ name: 'read_file', input }, besideConversation(caller))).text;
    } catch (thrown) {
      const error = asPeriscopeError(thrown);
      if (error.kind === 'internal') logger.error('resource read failed', { error: thrown });
      if (error.kind === 'not-found-or-no-access') {
        throw new ResourceNotFoundError(uri, `${error.message} (${error.kind})\n${addressAdvice}`);
      }
      if (error.kind.endsWith('not-found')) throw new ResourceNotFoundError(uri, errorText(error));
      throw new ProtocolError(ProtocolErrorCode.InternalError, errorText(error), { kind: error.kind });
    }
  }
}

/** Who reads a resource has an address to write and no tool to call. */
const addressAdvice =
  'Next: Take an address from resources/list; that of a file is periscope://file/owner/name/path/in/it.';

function noSuchRepository(name: string): string {
  return `There is no repository "${name.slice(0, 200)}" that you can read. (not-found-or-no-access)\n${addressAdvice}`;
}

/** A person picks and types what no model repeats: neither the guards' counts of the conversation nor their refusals are meant for it. */
function besideConversation(caller: Caller): Caller {
  const id = `${caller.conversation.id}/picked-${randomUUID()}`;
  return { ...caller, conversation: { id, certainty: 'guessed' } };
}

function repositoryResource({ name, host, defaultBranch, insert }: MentionJson) {
  const branch = defaultBranch === null ? '' : `, default branch ${defaultBranch}`;
  return {
    uri: repositoryUri(name),
    name,
    title: name,
    description: `Repository on ${host}${branch}. In a message: ${insert}`,
    mimeType: 'text/markdown',
  };
}

/** The cursor is the number of repositories before it: it grants nothing, the gate is passed again for every page. */
function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,7}$/.test(cursor)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The cursor "${cursor}" is none of ours. List again without a cursor.`,
    );
  }
  return Number(cursor);
}
