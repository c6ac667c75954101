const FIRST_MS = 1500;
const EVERY_MS = 500;

/** Says on a terminal that work goes on, once it takes longer than a moment. Pipes and logs see nothing of it. */
export async function withProgress<T>(
  what: string,
  work: Promise<T>,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<T> {
  if (!stream.isTTY) return work;
  const started = Date.now();
  let shown = false;
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    if (Date.now() - started < FIRST_MS) return;
    shown = true;
    stream.write(`\r${what} … ${seconds} s `);
  }, EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (shown) stream.write('\r\x1b[K');
  }
}
