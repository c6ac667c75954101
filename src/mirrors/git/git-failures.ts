import type { ErrorKind, PeriscopeError } from '../../base/errors.ts';
import { gitFailure, objectsMissing } from '../errors.ts';

interface Saying {
  says: RegExp;
  fails: readonly [kind: ErrorKind, code: string];
  message: (name: string) => string;
  next: string;
}

const operatorChecks = (what: string) => `The operator has to ${what}; the log has what git said.`;

/** What git and the forges say, first match wins. Gathered from git 2.39 and the forges' own texts. */
const sayings: readonly Saying[] = [
  {
    says: /Unable to create '[^']*\.lock': File exists|Another git process seems to be running|cannot lock ref|could not lock config file|shallow file has changed since we read it/,
    fails: ['busy', 'mirrors/locked'],
    message: (name) => `Another process is changing the mirror of ${name}.`,
    next: 'Wait two seconds and call the same tool again.',
  },
  {
    says: /returned error: (?:429|503)/,
    fails: ['busy', 'mirrors/remote-busy'],
    message: (name) => `The remote of ${name} asks to wait.`,
    next: 'Wait a minute and call the same tool again.',
  },
  {
    says: /Repository not found|repository '[^']*' not found|could not be found or you don't have permission to view it|TF401019|Gitea: Unauthorized|either does not exist or you do not have access|DENIED by fallthru|access denied or repository not exported|does not appear to be a git repository/,
    fails: ['not-found-or-no-access', 'mirrors/remote-not-found'],
    message: (name) => `The remote of ${name} does not exist, or the server's account may not read it.`,
    next: 'Choose another repository, or ask the operator to check the address and the rights of the server’s account.',
  },
  {
    says: /Authentication failed for|HTTP Basic: Access denied|Invalid username or token|terminal prompts disabled|TF400813|Permission denied \(publickey|Host key verification failed|SAML SSO|Personal access tokens \(classic\) are forbidden|unable to read askpass response|Write access to repository not granted|Permission to [^\n]{1,300}? denied to|returned error: 40[13]/,
    fails: ['unavailable', 'mirrors/remote-refuses-credential'],
    message: (name) => `The remote of ${name} refuses the server's own credential.`,
    next: operatorChecks('give the host a working credential'),
  },
  {
    says: /couldn't find remote ref|invalid object name|does not exist in|not our ref/,
    fails: ['ref-not-found', 'mirrors/remote-ref-missing'],
    message: (name) => `A reference of ${name} is gone from its remote.`,
    next: 'Call again; the references are read anew.',
  },
  {
    says: /returned error: 3\d\d|unable to update url base from redirection/,
    fails: ['unavailable', 'mirrors/remote-redirects'],
    message: (name) => `The remote of ${name} redirects to another address, which is not followed.`,
    next: operatorChecks('configure the address that it has now'),
  },
  {
    says: /transport '[^']*' not allowed/,
    fails: ['blocked-by-policy', 'mirrors/transport-refused'],
    message: (name) => `The remote of ${name} wants a transport that is not allowed.`,
    next: operatorChecks('use an https or ssh address'),
  },
  {
    says: /possible repository corruption on the remote side/,
    fails: ['unavailable', 'mirrors/remote-damaged'],
    message: (name) => `The remote of ${name} lacks objects that it names.`,
    next: operatorChecks('have the repository repaired at its host'),
  },
  {
    says: /Could not resolve (?:host|proxy)|Failed to connect to|Operation too slow|early EOF|RPC failed|the remote end hung up unexpectedly|unable to access|Connection (?:refused|reset|timed out)|unexpected disconnect|invalid index-pack output|Could not read from remote repository|bad line length|protocol error/,
    fails: ['unavailable', 'mirrors/remote-unreachable'],
    message: (name) => `The remote of ${name} cannot be reached or broke off.`,
    next: 'Call again in a minute; if it lasts, the operator has to check the host and the network.',
  },
  {
    says: /fsck error|error in (?:tag|tree|commit|blob)|transfer\.fsckObjects/,
    fails: ['unavailable', 'mirrors/remote-objects-refused'],
    message: (name) => `The remote of ${name} holds objects that are not safe to keep.`,
    next: operatorChecks('have the repository repaired'),
  },
  {
    says: /No space left on device|Disk quota exceeded/,
    fails: ['unavailable', 'mirrors/disk-full'],
    message: (name) => `There is no room on the server's disk for ${name}.`,
    next: operatorChecks('make room or lower the bound for mirrors'),
  },
  {
    says: /dubious ownership|safe\.bareRepository is 'explicit'|not a git repository|unknown repository extension|Expected git repo version|Permission denied/,
    fails: ['unavailable', 'mirrors/folder-unreadable'],
    message: (name) => `The folder of ${name} cannot be read as a git repository.`,
    next: operatorChecks('check the folder and who owns it'),
  },
];

/** The failure of a git process that read objects which are here, or should be. */
export function readFailureOf(said: string, subject: { name: string; doing: string }): PeriscopeError {
  return objectsMissing(subject.name, subject.doing, said) ?? failureOf(said, subject);
}

/** The failure of a git process as one of ours. `said` is its scrubbed stderr. */
export function failureOf(said: string, subject: { name: string; doing: string }): PeriscopeError {
  const found = sayings.find((saying) => saying.says.test(said));
  if (found) return gitFailure(...found.fails, found.message(subject.name), found.next, said);
  return gitFailure(
    'unavailable',
    'mirrors/git-failed',
    `${subject.doing} failed.`,
    'Call again; if it happens twice, the operator has to look at the log, which has what git said.',
    said,
  );
}
