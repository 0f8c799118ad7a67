import { Observable } from 'rxjs';
import type { Clock, Micros } from '../base/clock.ts';

/**
 * Emits 0 once, `delay` after subscription by the clock's uptime, and completes; unsubscribing cancels the timer.
 * The waiting that RxJS operators with hidden timers would do, on the injected clock.
 */
export function after(clock: Clock, delay: Micros): Observable<0> {
  return new Observable<0>((subscriber) =>
    clock.after(delay, () => {
      subscriber.next(0);
      subscriber.complete();
    }),
  );
}
