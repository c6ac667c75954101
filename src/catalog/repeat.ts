/**
 * Runs `work` every `intervalMs` after it ended, never two at once; 0 never runs it. Does not keep the process alive. A fault goes to
 * `onFault` and does not end the series.
 */
export function repeat(
  intervalMs: number,
  work: () => Promise<void>,
  onFault: (error: unknown) => void,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = intervalMs <= 0;

  const schedule = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = work().catch(onFault).finally(schedule);
    }, intervalMs);
    timer.unref();
  };
  schedule();

  return {
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
