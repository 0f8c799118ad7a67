import { config, Observable, Subscriber } from 'rxjs';
import type { Observer, Operator, Subscription } from 'rxjs';
import type { Cancel } from '../base/clock.ts';

/** Receives every error that a watcher threw. */
export type OnWatcherError = (error: unknown) => void;

/**
 * An Observable whose subscribers may throw without harm: the error goes to `onError`, the others go on.
 *
 * RxJS throws such an error later from a timer, which ends the process. Everything made from a guarded stream by
 * `pipe` is guarded as well; `merge(a$, b$)` and other creators are not, and `catchUnhandled` is for those.
 */
export class Guarded<T> extends Observable<T> {
  protected readonly onError: OnWatcherError;

  constructor(onError: OnWatcherError, subscribe?: (subscriber: Subscriber<T>) => Cancel) {
    super(subscribe);
    this.onError = onError;
  }

  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new Guarded<R>(this.onError);
    lifted.source = this as unknown as Observable<R>;
    lifted.operator = operator as unknown as Operator<unknown, R>;
    return lifted;
  }

  override subscribe(observerOrNext?: Partial<Observer<T>> | ((value: T) => void) | null): Subscription;
  override subscribe(
    next?: ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription;
  override subscribe(
    first?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // Operators subscribe with a Subscriber of their own, which must stay the end of their chain.
    if (first instanceof Subscriber) return super.subscribe(first);
    const given = typeof first === 'object' && first !== null ? first : undefined;
    const next = typeof first === 'function' ? first : given?.next?.bind(given);
    const failed = error ?? given?.error?.bind(given);
    const done = complete ?? given?.complete?.bind(given);
    return super.subscribe({
      next: (value) => this.#guard(next, value),
      error: (cause) => (failed === undefined ? this.onError(cause) : this.#guard(failed, cause)),
      complete: () => this.#guard(done, undefined),
    });
  }

  #guard<Value>(handle: ((value: Value) => void) | undefined, value: Value): void {
    try {
      handle?.(value);
    } catch (error) {
      this.onError(error);
    }
  }
}

/**
 * Sends to `onError` what RxJS would otherwise throw from a timer: errors of subscribers to streams that are not
 * guarded. One setting for the whole process; returns what restores the former one. For `app`.
 */
export function catchUnhandled(onError: OnWatcherError): Cancel {
  const former = config.onUnhandledError;
  config.onUnhandledError = onError;
  return () => {
    config.onUnhandledError = former;
  };
}
