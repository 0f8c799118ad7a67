import * as runner from 'node:test';

type Step = () => unknown;

// The runner answers with promises that nobody need wait for; here they are dropped on purpose.

/** A conversation of clients with one exchange. Its parts run one after the other, each on what the last one left. */
export function describe(title: string, parts: () => void): void {
  void runner.describe(title, parts);
}

export function test(title: string, part: Step): void {
  void runner.test(title, async () => {
    await part();
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
