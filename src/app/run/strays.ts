import { AsyncLocalStorage } from 'node:async_hooks';
import { describeThrown } from '../../strategy/guard.ts';

/** What one run left to the event loop and what came of it. */
interface RunScope {
  readonly strays: string[];
  ended: boolean;
}

const scopes = new AsyncLocalStorage<RunScope>();
let isWatching = false;
let tellLate: (sentence: string) => void = () => {};

/**
 * Runs `work`; `charge` adds to its result what its strategies threw outside of their handlers: in a timer of the machine, a
 * task, or a promise that nobody waits for. What is thrown is charged to the run it began in, whenever it comes: behind the
 * end of that run it is told as late, and to no other run.
 */
export async function withStrays<Result>(
  work: () => Promise<Result>,
  charge: (result: Result, strays: readonly string[]) => Result,
): Promise<Result> {
  watch();
  const scope: RunScope = { strays: [], ended: false };
  try {
    const result = await scopes.run(scope, work);
    // Between the two come timers that are due; tasks and rejections of the last handler come before.
    await nextTurn();
    await nextTurn();
    return scope.strays.length === 0 ? result : charge(result, scope.strays.slice());
  } finally {
    scope.ended = true;
  }
}

/** Who is told of what comes when its run has ended. */
export function onLateStray(tell: (sentence: string) => void): void {
  tellLate = tell;
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
  const scope = scopes.getStore();
  if (scope === undefined) {
    // Not of a run: a bug of ours, which ends the process as it would without us.
    process.off('uncaughtException', take);
    process.off('unhandledRejection', take);
    setImmediate(() => {
      throw error;
    });
    return;
  }
  const sentence = `a strategy threw outside of its handlers, in a timer, task or promise of its own: ${describeThrown(error)}`;
  if (scope.ended) tellLate(sentence);
  else if (scope.strays.length === 0) scope.strays.push(sentence);
}
