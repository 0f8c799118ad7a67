import type { Micros } from '../base/clock.ts';
import type { StrategyNoted } from '../model/event.ts';
import type { Intent } from '../model/intent.ts';
import type { KeptState } from './host.ts';

/** Where the requests of a running strategy go: to the bus in the host's thread, or through a port out of a worker. */
export interface IntentSink {
  intend(intent: Intent): void;
  noteText(level: StrategyNoted['level'], text: string): void;
  /** Starts a timer that comes back as a `strategyTimer` event: once, or every `period`. */
  arm(timerId: number, delay: Micros, period: Micros | undefined): void;
  disarm(timerId: number): void;
  keepState(state: KeptState): void;
  /** The strategy broke its contract and gets no more calls. */
  quarantine(why: string): void;
}
