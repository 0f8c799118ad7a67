import * as runner from 'node:test';

type Step = () => unknown;

/** Thrown by a part that cannot be held here: it is skipped, and the sentence says why. */
export class NotHere extends Error {}

// The runner answers with promises that nobody need wait for; here they are dropped on purpose.

/** A conversation of clients with one exchange. Its parts run one after the other, each on what the last one left. */
export function describe(title: string, parts: () => void): void {
  void runner.describe(title, parts);
}

export function test(title: string, part: Step): void {
  void runner.test(title, async (context) => {
    try {
      await part();
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      context.skip(error.message);
    }
  });
}

export function before(step: Step): void {
  runner.before(async () => {
    await step();
  });
}

export function after(step: Step): void {
  runner.after(async () => {
    await step();
  });
}
