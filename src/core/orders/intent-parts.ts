import type { StateView } from '../state/index.ts';
import type { Cancels } from './base/cancels.ts';
import type { HeldExits } from './held-exits.ts';
import type { InFlightTracker } from './in-flight-tracker.ts';
import type { LiveDenials } from './live-denials.ts';
import type { MarginChangeTracker } from './margin/index.ts';
import type { Memory } from './base/memory.ts';
import type { Outbox } from './base/outbox.ts';

/** Parts that the judging of intents works with. */
export interface IntentDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly cancels: Cancels;
  /** Counts what live trading would have denied, in a run whose own controls are open. */
  readonly live: LiveDenials | undefined;
  readonly tracker: InFlightTracker;
  readonly marginChanges: MarginChangeTracker;
  readonly held: HeldExits;
}
