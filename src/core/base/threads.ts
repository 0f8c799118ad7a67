/** Threads that run what strategies do. One that loops where the compiler left no check cannot be ended by anybody. */
const running = new Set<object>();

/** Keeps a thread in mind until it has ended. */
export function noteThread(thread: { once(event: 'exit', heard: () => void): unknown }): void {
  running.add(thread);
  thread.once('exit', () => running.delete(thread));
}

/** How many of those noted have not ended. */
export function threadsRunning(): number {
  return running.size;
}
