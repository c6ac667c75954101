/** Milliseconds of each run, as p50 and p95, and runs a second. */
export function summary(milliseconds, elapsedMs) {
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { p50: at(0.5), p95: at(0.95), perSecond: (milliseconds.length / elapsedMs) * 1000 };
}

/** Runs `work(index)` `total` times with `callers` at once and times each. */
export async function timed(total, callers, work) {
  const milliseconds = [];
  let next = 0;
  const started = performance.now();
  const one = async () => {
    while (next < total) {
      const index = next++;
      const from = performance.now();
      await work(index);
      milliseconds.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: callers }, one));
  return summary(milliseconds, performance.now() - started);
}

export function row(name, { p50, p95, perSecond }, base) {
  const ratio = base ? `  ${(base.p50 / p50).toFixed(1)}x` : '';
  return `${name.padEnd(44)} p50 ${p50.toFixed(2).padStart(8)} ms  p95 ${p95.toFixed(2).padStart(8)} ms  ${perSecond.toFixed(0).padStart(7)}/s${ratio}`;
}
