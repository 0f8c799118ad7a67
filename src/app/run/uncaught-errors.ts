import { AsyncLocalStorage } from 'node:async_hooks';
import { describeThrownAt } from '../../core/strategy/framework.ts';

/** Hears what was thrown outside of every handler by something that began in its scope. */
type Charge = (error: unknown) => void;

const scopes = new AsyncLocalStorage<Charge>();
let isWatching = false;
let lateErrorReporter: (sentence: string) => void = () => {};

/** Runs `work`: what it leaves to the event loop and throws there goes to `charge`, and never ends the process. */
export function inScope<Result>(charge: Charge, work: () => Result): Result {
  watch();
  return scopes.run(charge, work);
}

/** Runs `work` of ours that was called from within a scope: what it leaves to the event loop is no strategy's. */
export function outOfScope<Result>(work: () => Result): Result {
  return scopes.exit(work);
}

/** Hands `error` to the scope it was thrown in; returns whether there is one. */
export function handToScope(error: unknown): boolean {
  const charge = scopes.getStore();
  charge?.(error);
  return charge !== undefined;
}

/**
 * Runs `work`; `charge` adds to its result what its strategies threw outside of their handlers: in a timer of the machine, a
 * task, or a promise that is not awaited. What is thrown is charged to the run it began in, whenever it comes: after the
 * end of that run it is reported as late, and to no other run.
 */
export async function withUncaughtErrors<Result>(
  work: () => Promise<Result>,
  charge: (result: Result, errors: readonly string[]) => Result,
): Promise<Result> {
  const errors: string[] = [];
  let hasEnded = false;
  const take = (error: unknown): void => {
    const sentence = `a strategy threw ${uncaughtText(error)}`;
    if (hasEnded) reportLateError(sentence);
    else if (errors.length === 0) errors.push(sentence);
  };
  try {
    const result = await inScope(take, work);
    // Between the two come timers that are due; tasks and rejections of the last handler come before.
    await nextTurn();
    await nextTurn();
    return errors.length === 0 ? result : charge(result, errors.slice());
  } finally {
    hasEnded = true;
  }
}

/** Sets what receives errors that come after the end of their run, or of their strategy. */
export function onLateError(report: (sentence: string) => void): void {
  lateErrorReporter = report;
}

/** Reports an error that came after the end of its run, or of its strategy. */
export function reportLateError(sentence: string): void {
  lateErrorReporter(sentence);
}

/** The text of such an error, which follows the name of the strategy. */
export function uncaughtText(error: unknown): string {
  return `outside of its handlers, in a timer, task or promise of its own: ${describeThrownAt(error)}`;
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  process.on('uncaughtException', take);
  process.on('unhandledRejection', take);
}

function take(error: unknown): void {
  if (handToScope(error)) return;
  // Not of a strategy: a bug of ours, which ends the process as it would without us.
  process.off('uncaughtException', take);
  process.off('unhandledRejection', take);
  setImmediate(() => {
    throw error;
  });
}
