import { createHash } from 'node:crypto';
import { touches } from './metrics.ts';
import type { LabelledPair, RankedPlace } from './types.ts';

/** A question's candidates with what the scorer sees of them. */
export interface FitQuestion {
  pair: LabelledPair;
  candidates: readonly RankedPlace[];
}

export interface FitOptions {
  /** What weights start from and are drawn back to. */
  start: Readonly<Record<string, number>>;
  /** How strongly: 0 trusts the examples alone. Default 0.02. */
  regularisation?: number;
}

export interface FittedWeights {
  weights: Record<string, number>;
  /** Questions of which something could be learnt: a wanted candidate and one that was not. */
  questions: number;
  /** Mean loss of the examples before and after. */
  lossBefore: number;
  lossAfter: number;
}

const STEPS_MAX = 100;
const DEFAULT_REGULARISATION = 0.02;
/** Below this a step changes nothing that anyone sees. */
const ENOUGH = 1e-9;

/**
 * Weights with which wanted candidates come before the others: pairwise logistic loss over each question's (wanted, other) pairs, each
 * question counting alike, with a quadratic penalty for leaving the start, by Newton steps. The objective is convex, so the result
 * depends on the examples alone, and not on chance.
 *
 * Scores are only compared, so the start's scale is free: it is fitted first, and the penalty is about what the scale cannot explain.
 */
export function fitWeights(
  questions: readonly FitQuestion[],
  { start, regularisation = DEFAULT_REGULARISATION }: FitOptions,
): FittedWeights {
  const names = Object.keys(start);
  const perQuestion = questions.map((question) => examplesOf(question, names));
  const learnt = perQuestion.filter(({ length }) => length > 0).length;
  const examples = perQuestion.flat();
  if (examples.length === 0) return { weights: { ...start }, questions: 0, lossBefore: 0, lossAfter: 0 };
  for (const example of examples) example.share /= learnt;
  const spread = spreads(examples, names.length);
  const scale = fittedScale(
    examples,
    names.map((name) => start[name]!),
  );
  const from = names.map((name) => start[name]! * scale);
  const fitted = newton(examples, { from, spread, regularisation });
  // Back to the scale that the start had, so that scores look as they did.
  const weights = Object.fromEntries(names.map((name, at) => [name, rounded(fitted[at]! / scale)]));
  return {
    weights,
    questions: learnt,
    lossBefore: lossOf(examples, from),
    lossAfter: lossOf(examples, fitted),
  };
}

/** Which questions are kept apart from the fit: by their words, so that one asked twice is never on both sides. */
export function isHeldOut(question: string, share = 0.3): boolean {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const digest = createHash('sha256').update(words.join(' ')).digest();
  return digest.readUInt32BE(0) / 2 ** 32 < share;
}

interface Example {
  /** Features of the wanted candidate minus those of the other. */
  difference: Float64Array;
  /** Weight of the example; those of one question sum to 1 at first. */
  share: number;
}

function examplesOf({ candidates, pair }: FitQuestion, names: readonly string[]): Example[] {
  const isWanted = candidates.map((candidate) => pair.wanted.some((wanted) => touches(candidate, wanted)));
  const wanted = candidates.filter((_, at) => isWanted[at]);
  const others = candidates.filter((_, at) => !isWanted[at]);
  const share = 1 / (wanted.length * others.length);
  return wanted.flatMap((one) =>
    others.map((other) => ({
      difference: Float64Array.from(names, (name) => (one.features[name] ?? 0) - (other.features[name] ?? 0)),
      share,
    })),
  );
}

/** Mean square of each feature's differences: a rare feature is held to its start as firmly as a common one. */
function spreads(examples: readonly Example[], count: number): Float64Array {
  const spread = new Float64Array(count);
  for (const { difference, share } of examples)
    for (let at = 0; at < count; at++) spread[at]! += share * difference[at]! ** 2;
  return spread.map((value) => value + 1e-3);
}

function fittedScale(examples: readonly Example[], start: readonly number[]): number {
  const lengths = examples.map(({ difference }) => dot(difference, start));
  let scale = 1;
  for (let step = 0; step < STEPS_MAX; step++) {
    let slope = 1e-3 * (scale - 1);
    let curvature = 1e-3;
    examples.forEach(({ share }, at) => {
      const doubt = sigmoid(-scale * lengths[at]!);
      slope -= share * doubt * lengths[at]!;
      curvature += share * doubt * (1 - doubt) * lengths[at]! ** 2;
    });
    const next = Math.min(100, Math.max(0.1, scale - Math.max(-1, Math.min(1, slope / curvature))));
    if (Math.abs(next - scale) < ENOUGH) break;
    scale = next;
  }
  return scale;
}

function newton(
  examples: readonly Example[],
  { from, spread, regularisation }: { from: readonly number[]; spread: Float64Array; regularisation: number },
): number[] {
  const count = from.length;
  const penalty = spread.map((value) => value * regularisation);
  const objective = (weights: readonly number[]) =>
    lossOf(examples, weights) +
    weights.reduce((sum, weight, at) => sum + (penalty[at]! * (weight - from[at]!) ** 2) / 2, 0);
  let weights = [...from];
  let value = objective(weights);
  for (let step = 0; step < STEPS_MAX; step++) {
    const slope = weights.map((weight, at) => penalty[at]! * (weight - from[at]!));
    const curvature = Array.from({ length: count }, (_, row) =>
      Float64Array.from({ length: count }, (_, column) => (row === column ? penalty[row]! + 1e-9 : 0)),
    );
    for (const { difference, share } of examples) {
      const doubt = sigmoid(-dot(difference, weights));
      const bend = share * doubt * (1 - doubt);
      for (let row = 0; row < count; row++) {
        slope[row]! -= share * doubt * difference[row]!;
        for (let column = 0; column <= row; column++)
          curvature[row]![column]! += bend * difference[row]! * difference[column]!;
      }
    }
    const direction = solved(curvature, slope);
    // Half steps until the objective falls: Newton's step may overshoot where the curve is flat.
    let length = 1;
    let next = weights;
    let nextValue = value;
    for (; length > 1e-6; length /= 2) {
      next = weights.map((weight, at) => weight - length * direction[at]!);
      nextValue = objective(next);
      if (nextValue < value) break;
    }
    if (value - nextValue < ENOUGH) break;
    weights = next;
    value = nextValue;
  }
  return weights;
}

/** Solves a symmetric positive definite system, given its lower half, by Cholesky's factors. */
function solved(matrix: readonly Float64Array[], right: readonly number[]): number[] {
  const count = right.length;
  for (let row = 0; row < count; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row]![column]!;
      for (let at = 0; at < column; at++) sum -= matrix[row]![at]! * matrix[column]![at]!;
      matrix[row]![column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[column]![column]!;
    }
  }
  const found = [...right];
  for (let row = 0; row < count; row++) {
    for (let at = 0; at < row; at++) found[row]! -= matrix[row]![at]! * found[at]!;
    found[row]! /= matrix[row]![row]!;
  }
  for (let row = count - 1; row >= 0; row--) {
    for (let at = row + 1; at < count; at++) found[row]! -= matrix[at]![row]! * found[at]!;
    found[row]! /= matrix[row]![row]!;
  }
  return found;
}

function lossOf(examples: readonly Example[], weights: readonly number[]): number {
  let loss = 0;
  for (const { difference, share } of examples) {
    const ahead = dot(difference, weights);
    loss += share * (ahead > 0 ? Math.log1p(Math.exp(-ahead)) : Math.log1p(Math.exp(ahead)) - ahead);
  }
  return loss;
}

function dot(one: Float64Array, other: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < other.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
