/** Threads that run strategies. A thread in a loop without a compiled interrupt check cannot be terminated. */
const running = new Set<object>();

/** Counts a thread until it has ended. */
export function noteThread(thread: { once(event: 'exit', heard: () => void): unknown }): void {
  running.add(thread);
  thread.once('exit', () => running.delete(thread));
}

/** How many noted threads have not ended. */
export function threadsRunning(): number {
  return running.size;
}
