/**
 * What two engines' figures for the same queries say, where each query was asked of both in turn, several times over.
 * A ratio is theirs / ours, so above 1 ours is the faster one. A query's ratio is the median over its rounds, each pairing the two
 * answers of one round: what else the machine does then weighs on both.
 */
export function pairedRatios(rows, measure) {
  return rows
    .filter(({ ours, theirs }) => ours.length > 0 && theirs.length > 0 && theirs[0][measure] !== null)
    .map(({ name, kind, ours, theirs }) => {
      // A slow engine is asked less often than a fast one; its last answer then stands for the rounds that it lacks.
      const pairs = ours.map((answer, round) => [answer, theirs[Math.min(round, theirs.length - 1)]]);
      return { name, kind, ratio: median(pairs.map(([one, other]) => other[measure] / one[measure])) };
    });
}

export function summaryOf(ratios) {
  const sorted = ratios.toSorted((one, other) => one.ratio - other.ratio);
  return {
    median: median(ratios.map(({ ratio }) => ratio)),
    mean: geometricMean(ratios.map(({ ratio }) => ratio)),
    worst: sorted[0],
    slower: sorted.filter(({ ratio }) => ratio < 1),
  };
}

/** `things` by their kind, in the order in which the kinds first come. */
export function byKind(things) {
  const kinds = new Map();
  for (const thing of things) {
    if (!kinds.has(thing.kind)) kinds.set(thing.kind, []);
    kinds.get(thing.kind).push(thing);
  }
  return kinds;
}

export function median(numbers) {
  return quantile(numbers, 0.5);
}

/** By linear interpolation; NaN of nothing. */
export function quantile(numbers, share) {
  if (numbers.length === 0) return Number.NaN;
  const sorted = Float64Array.from(numbers).sort();
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

export function geometricMean(numbers) {
  return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
}
