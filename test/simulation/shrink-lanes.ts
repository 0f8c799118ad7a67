import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import type { Breach } from './breaches.ts';
import { execArgv } from './in-processes.ts';

/** One candidate of a seed that is shrunk. */
export interface LaneTask {
  readonly seed: number;
  readonly minutes: number;
  readonly only: readonly number[];
  readonly endMs: number;
  /** Name of a planted defect. */
  readonly bug?: string | undefined;
}

export type LaneMessage = LaneTask | 'stop';

/** Processes that try candidates at once, each one at a time. They end with `close`. */
export class ShrinkLanes {
  readonly #free: ChildProcess[];
  readonly #all: readonly ChildProcess[];

  constructor(count: number) {
    const file = new URL('shrink-process.ts', import.meta.url);
    this.#all = Array.from({ length: count }, () => fork(file, { stdio: 'inherit', execArgv }));
    this.#free = [...this.#all];
  }

  get count(): number {
    return this.#all.length;
  }

  /** Tries a candidate in a process that is free. Returns what broke before its end, or before the signal. */
  run(task: LaneTask, signal: AbortSignal): Promise<readonly Breach[]> {
    const child = this.#free.pop();
    if (child === undefined) throw new Error('more candidates are tried at once than there are processes');
    return new Promise((resolve, reject) => {
      const stop = (): void => void child.send('stop' satisfies LaneMessage);
      const ended = (): void => reject(new Error('a process that tries candidates ended'));
      child.once('exit', ended);
      child.once('message', (breaches) => {
        child.off('exit', ended);
        signal.removeEventListener('abort', stop);
        this.#free.push(child);
        resolve(breaches as readonly Breach[]);
      });
      signal.addEventListener('abort', stop);
      child.send(task satisfies LaneMessage);
    });
  }

  close(): void {
    for (const child of this.#all) if (child.connected) child.disconnect();
  }
}
