import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A helper program beside this one; it ends when `close` is called or we end. */
export interface Child {
  /** What it said first: its port, or what else its user must know. */
  readonly said: unknown;
  /** Tells it something, and returns its answer. */
  ask(message: object): Promise<unknown>;
  close(): void;
}

/** Starts `support/FILE` and waits for its first message. */
export async function startChild(file: string, args: readonly string[] = []): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ['--no-warnings'] });
  const [said] = (await once(child, 'message')) as [unknown];
  return {
    said,
    ask: async (message) => {
      const answer = once(child, 'message');
      child.send(message);
      return ((await answer) as [unknown])[0];
    },
    close: () => child.disconnect(),
  };
}
