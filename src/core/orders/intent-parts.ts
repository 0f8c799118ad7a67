import type { NewOrderCommand, ReplaceOrderCommand } from '../model/command.ts';
import type { ClientOrderId } from '../model/order.ts';
import type { StateView } from '../state/view.ts';
import type { Cancels } from './cancels.ts';
import type { LiveDenials } from './live-denials.ts';
import type { Memory } from './memory.ts';
import type { Outbox } from './outbox.ts';

/** What the judging of intents works with. */
export interface IntentParts {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly cancels: Cancels;
  /** Counts what live trading would have denied, in a run whose own controls are open. */
  readonly live: LiveDenials | undefined;
  /** A new order or a replacement was recorded and is with the gate. */
  readonly sent: (command: NewOrderCommand | ReplaceOrderCommand) => void;
  /** An order that was recorded as pending will not leave after all. */
  readonly withdrawn: (clientOrderId: ClientOrderId) => void;
}
