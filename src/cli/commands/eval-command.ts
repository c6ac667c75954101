import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import type { App } from '../../app/index.ts';
import { PeriscopeError } from '../../base/errors.ts';
import type {
  Answerer,
  Compared,
  Evaluation,
  LabelledPair,
  Proof,
  RankingSettings,
} from '../../retrieval/index.ts';
import { evaluationConfig, foldersBesideServer } from '../evaluation-config.ts';
import { comparedLines, stageLines } from '../evaluation-lines.ts';
import { exitCodes, reportFailure } from '../exit-codes.ts';
import { requireOwnMachine } from '../machine-only.ts';
import { nothingToOpen } from '../open-session.ts';
import { runningServer } from '../running-server.ts';
import { addGlobalOptions, configOf, type GlobalOptions } from '../settings.ts';
import { wholeNumber } from '../whole-number.ts';

interface EvalOptions extends GlobalOptions {
  pairs?: string;
  first: string;
  second: string;
  stages: boolean;
  seed: number;
  json?: boolean;
}

interface FitOptions extends GlobalOptions {
  pairs?: string;
  out: string;
  regularisation?: string;
  seed: number;
  json?: boolean;
}

const EVERY_TRACE = { limit: 1_000_000, used: true };

export function addEvalCommand(program: Command): void {
  const evaluation = program
    .command('eval')
    .description('Measure how well search by meaning finds what was wanted, and learn from it.');
  common(evaluation.command('compare', { isDefault: true }))
    .summary('Compare two ways of ranking')
    .description(
      'Ask questions whose wanted places are known under two ways of ranking, on the index as it is, and print recall@k, MRR and NDCG@10 of both, the difference with its interval, and what each stage adds. A ranking is configured, keywords (words alone), or a change of the configured one, such as encoder=off,fusionK=60,weights=FILE.',
    )
    .option('--first <ranking>', 'the ranking to compare with', 'keywords')
    .option('--second <ranking>', 'the ranking to measure', 'configured')
    .option('--no-stages', 'leave out what each stage adds')
    .action((folders: string[], options: EvalOptions) =>
      inOwnApp(folders, options, (ground) => compareRankings(ground, options)),
    );
  common(evaluation.command('fit'))
    .summary("Fit the scorer's weights")
    .description(
      'Fit the weights of the scorer to one part of the questions, and ask the other part with both the weights in use and the fitted ones. Only where those find more, with an interval of the gain in MRR above zero, the file is written; to use it, name it in the config as retrieval.weightsFile. Else nothing is written, and it is said why.',
    )
    .requiredOption('--out <file>', 'where to write the weights')
    .option('--regularisation <number>', 'how strongly weights are held to those in use (default: 0.02)')
    .action((folders: string[], options: FitOptions) =>
      inOwnApp(folders, options, (ground) => fitWeights(ground, options)),
    );
}

function common(command: Command): Command {
  return addGlobalOptions(command)
    .argument('[folders...]', 'folders of repositories, read in place')
    .option('--pairs <file>', 'labelled questions as JSON lines (default: the searches that were kept)')
    .option('--seed <number>', 'of the intervals', wholeNumber, 1)
    .option('--json', 'the result as JSON');
}

interface Ground {
  pairs: readonly LabelledPair[];
  configured: RankingSettings;
  answer: Answerer<RankingSettings>;
  signal: AbortSignal;
  onQuestion(done: number, total: number): void;
}

/** On the index of the data folder, beside a server that may run on it: rankings are tried out here, never in the server. */
async function inOwnApp(
  folders: readonly string[],
  options: GlobalOptions & { pairs?: string; json?: boolean },
  work: (ground: Ground) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  try {
    requireOwnMachine(process.env);
    const named = folders.length > 0;
    const config = await configOf(options, named ? { folders: [...folders] } : {});
    const server = await runningServer(config);
    if (server && named) throw foldersBesideServer(config.dataFolder.folder);
    const { createApp, hostsOfConfig } = await import('../../app/index.ts');
    const served = server ? (await server.about()).hosts : hostsOfConfig(config);
    const app = await createApp(evaluationConfig(config, { served, named }), {
      discoverAtStart: named,
      background: false,
    });
    try {
      if (!server && app.catalog.repositories().length === 0) throw nothingToOpen(config.dataFolder.folder);
      await work(await groundOf(app, options.pairs, stopping.signal));
    } finally {
      await app.close();
    }
  } catch (fault) {
    reportFailure(fault, options.json ?? false);
  } finally {
    process.off('SIGINT', stop);
  }
}

async function groundOf(app: App, file: string | undefined, signal: AbortSignal): Promise<Ground> {
  const { exportedPair, parsePairs } = await import('../../retrieval/index.ts');
  if (app.ranking === null) throw noMeaning();
  const caller = { ...app.localCaller(), signal };
  const pairs =
    file === undefined
      ? (await app.programs.listTraces(EVERY_TRACE, caller)).flatMap((trace) => {
          const pair = exportedPair(trace, (id) => trace.repositories[id] ?? null);
          return pair ? [{ ...pair, wanted: pair.used }] : [];
        })
      : parsePairs(await textOf(file), file);
  if (pairs.length === 0) throw noPairs();
  return {
    pairs,
    configured: app.ranking,
    answer: (pair, ranking, { limit, signal: asked }) =>
      app.trials.rankedPlaces(pair, ranking, limit, { ...caller, signal: asked }),
    signal,
    onQuestion: (done, total) => {
      if (!process.stderr.isTTY) return;
      process.stderr.write(done === total ? '\r\x1b[K' : `\r\x1b[Kasking … ${done}/${total}`);
    },
  };
}

async function compareRankings(ground: Ground, options: EvalOptions): Promise<void> {
  const { evaluate, rankingOf } = await import('../../retrieval/index.ts');
  const { pairs, configured, answer } = ground;
  const rankings = {
    first: rankingOf(options.first, configured),
    second: rankingOf(options.second, configured),
  };
  const found = await evaluate(pairs, rankings, answer, {
    ...{ signal: ground.signal, onQuestion: ground.onQuestion, seed: options.seed, stages: options.stages },
  });
  process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : evaluationText(found, options));
}

function evaluationText(found: Evaluation, { first, second }: EvalOptions): string {
  return [comparedLines(found.compared, [first, second]), stageLines(found.stages)]
    .filter((part) => part !== '')
    .join('\n');
}

async function fitWeights(ground: Ground, options: FitOptions): Promise<void> {
  const { proveWeights } = await import('../../retrieval/index.ts');
  const { pairs, configured, answer, signal, onQuestion } = ground;
  const regularisation = regularisationOf(options.regularisation);
  const proof = await proveWeights(pairs, configured, answer, {
    ...{ signal, onQuestion, seed: options.seed, at: new Date() },
    ...(regularisation === null ? {} : { regularisation }),
  });
  if (proof.verdict === 'gain') {
    // Whole or not at all: a server may start meanwhile.
    const unfinished = `${options.out}.unfinished`;
    await writeFile(unfinished, `${JSON.stringify(proof.weights, null, 2)}\n`);
    await rename(unfinished, options.out);
  } else process.exitCode = exitCodes.nothingFound;
  process.stdout.write(options.json ? `${JSON.stringify(proof)}\n` : await proofText(proof, options.out));
}

async function proofText(proof: Proof, out: string): Promise<string> {
  if (proof.verdict === 'too-few') {
    const { QUESTIONS_MIN } = await import('../../retrieval/index.ts');
    return `Too few questions: ${proof.fittedOn} to fit and ${proof.heldOut} to prove it, and each takes ${QUESTIONS_MIN}. Nothing was written.\n`;
  }
  const { fitted, heldOut } = proof;
  const said = `Fitted to ${fitted.questions} questions: the loss went from ${fitted.lossBefore.toFixed(4)} to ${fitted.lossAfter.toFixed(4)}. On questions that were held out:\n`;
  const names = ['the weights in use', 'the fitted weights'] as const;
  return `${said}${comparedLines(heldOut, names)}\n${verdictSaid(heldOut, proof.verdict === 'gain' ? path.resolve(out) : null)}`;
}

function verdictSaid({ difference }: Compared, file: string | null): string {
  if (file !== null)
    return `The fitted weights find more. Written to ${file}; to use them: retrieval.weightsFile: ${file}\n`;
  const { low } = difference.MRR;
  return `No gain is proven: the interval of the difference in MRR begins at ${low.toFixed(3)}, not above zero. Nothing was written, the weights in use stay.\n`;
}

function regularisationOf(written: string | undefined): number | null {
  if (written === undefined) return null;
  if (/^\d{1,6}(?:\.\d{1,9})?$/.test(written)) return Number(written);
  throw new PeriscopeError(
    'invalid-request',
    'cli/not-a-number',
    `"${written}" is no regularisation.`,
    'Give a number from 0 on, such as 0.02.',
  );
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new PeriscopeError(
      'invalid-request',
      'cli/pairs-unreadable',
      `The file ${file} cannot be read.`,
      'Give a file that periscope traces export wrote, or leave --pairs out for the searches that were kept.',
      { cause },
    );
  }
}

function noPairs(): PeriscopeError {
  return new PeriscopeError(
    'invalid-request',
    'cli/no-pairs',
    'There is no labelled question to ask: no kept search has a place that was used afterwards.',
    'Give a file with --pairs, or come back when agents have searched and read on.',
  );
}

function noMeaning(): PeriscopeError {
  return new PeriscopeError(
    'unavailable',
    'cli/no-meaning',
    'The search engine of the config does not search by meaning.',
    'Set search.engine to native.',
  );
}
