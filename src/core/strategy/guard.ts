import { escapeMarks } from './log.ts';
import { describeThrownAt } from './thrown.ts';

const sentenceMax = 500;

/**
 * Isolates a strategy: knows whether it still runs and which of its handlers runs, and ends it at the first violation of
 * its contract.
 */
export class StrategyGuard {
  /** Started and not ended. */
  running = false;
  /** Which handler runs, for the message when it throws. */
  where = 'create';
  readonly #quarantine: (why: string) => void;

  constructor(quarantine: (why: string) => void) {
    this.#quarantine = quarantine;
  }

  /** Takes what a handler returned. A promise ends the strategy, because handlers are not awaited. */
  settle(result: unknown): void {
    if (result === undefined) return;
    if (!isPromise(result)) return;
    // Its rejection must not reach the process.
    result.then(undefined, () => {});
    this.endStrategy(`${this.where} returned a promise; handlers are synchronous and must return nothing`);
  }

  /** Ends the strategy for what it threw. */
  fault(error: unknown, where = this.where): void {
    this.endStrategy(`${where} threw ${describeThrownAt(error, sentenceMax - 100)}`);
  }

  endStrategy(why: string): void {
    if (!this.running) return;
    this.running = false;
    this.#quarantine(escapeMarks(why.slice(0, sentenceMax)));
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
