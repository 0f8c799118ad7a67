/** Reads again and again until `read` answers something, at most `msMax`. */
export async function until<Value>(
  what: string,
  read: () => Promise<Value | undefined> | Value | undefined,
  msMax = 15_000,
): Promise<Value> {
  const end = performance.now() + msMax;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`waited ${msMax} ms in vain: ${what}`);
    await pause(20);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The value of a promise, or an error that says what did not come. */
export async function within<Value>(what: string, promise: Promise<Value>, msMax = 10_000): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came in ${msMax} ms: ${what}`)), msMax);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
