import type { Observer, Operator, Subscription } from 'rxjs';
import { Observable, Subscriber } from 'rxjs';

type Listener<Value> = Partial<Observer<Value>> | ((value: Value) => void) | null | undefined;

/** Told of what a subscriber threw, or of an error nobody handled. */
export type Blame = (error: unknown) => void;

/**
 * An Observable whose subscribers cannot hurt anybody: what they throw goes to `blame` at once, in the same turn,
 * instead of being thrown out of nowhere later. Operators keep the guard.
 */
export class GuardedStream<Value> extends Observable<Value> {
  readonly #blame: Blame;

  constructor(blame: Blame, connect?: (subscriber: Subscriber<Value>) => () => void) {
    super(connect);
    this.#blame = blame;
  }

  override lift<Result>(operator?: Operator<Value, Result>): Observable<Result> {
    const lifted = new GuardedStream<Result>(this.#blame);
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  override subscribe(
    listener?: Listener<Value>,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // A subscriber made by an operator passes its errors down the chain by itself.
    if (listener instanceof Subscriber) return super.subscribe(listener);
    const heard = typeof listener === 'function' ? { next: listener } : (listener ?? {});
    const blame = this.#blame;
    const onError = error ?? heard.error?.bind(heard);
    const onComplete = complete ?? heard.complete?.bind(heard);
    return super.subscribe({
      next(value) {
        try {
          heard.next?.(value);
        } catch (thrown) {
          blame(thrown);
        }
      },
      error(problem) {
        if (onError === undefined) {
          blame(problem);
          return;
        }
        try {
          onError(problem);
        } catch (thrown) {
          blame(thrown);
        }
      },
      complete() {
        try {
          onComplete?.();
        } catch (thrown) {
          blame(thrown);
        }
      },
    });
  }
}

const subscribersMax = 1_000;

/** The source of one guarded stream: values go to its subscribers in the order they subscribed. */
export class StreamSource<Value> {
  readonly stream: Observable<Value>;
  /** Replaced on every change, so that a walk over it is never disturbed. */
  #subscribers: readonly Subscriber<Value>[] = [];

  constructor(blame: Blame) {
    this.stream = new GuardedStream<Value>(blame, (subscriber) => {
      if (this.#subscribers.length >= subscribersMax) {
        blame(new Error(`one stream has ${subscribersMax} subscribers: something subscribes in a loop`));
        return () => {};
      }
      this.#subscribers = [...this.#subscribers, subscriber];
      return () => {
        this.#subscribers = this.#subscribers.filter((other) => other !== subscriber);
      };
    });
  }

  next(value: Value): void {
    const subscribers = this.#subscribers;
    for (const subscriber of subscribers) subscriber.next(value);
  }
}
