import type { Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import type { Venue } from '../../core/bus/index.ts';
import { joinedAnswer } from '../../core/model/account-event.ts';
import type { CancelOrderCommand, Command, ReadTarget } from '../../core/model/command.ts';
import type { CommandSettled, Event, ReadAnswered } from '../../core/model/event.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { VenueOrder } from '../../core/model/order.ts';
import type { Product } from '../../core/model/product.ts';
import type { VenueBudgets } from '../../venues/index.ts';

/** End of a request: as the venue settled it, or `unsent` where the desk was closed before. */
export type DeskOutcome = CommandSettled['outcome'] | 'unsent';

export interface DeskRead {
  readonly outcome: DeskOutcome;
  /** There when it was acknowledged and could be read. */
  readonly answer: ReadAnswered | undefined;
}

export interface DeskDeps {
  readonly venue: Venue;
  readonly budgets: VenueBudgets;
  readonly clock: Clock;
  /** Asked right before a cancel leaves: false keeps it back. */
  readonly mayCancel: () => boolean;
}

interface Waiting {
  readonly slot: number;
  readonly settle: (outcome: DeskOutcome) => void;
  readonly parts: ReadAnswered[];
}

/** Name that stands in place of a strategy in commands of a sentinel. */
const sentinelName = 'sentinel';

/**
 * Reads and cancels of a sentinel over a venue of its own, within the budgets of its own. Each is sent once and settled once, by the
 * contract of the port.
 */
export class Desk {
  readonly #parts: DeskDeps;
  readonly #waiting = new Map<number, Waiting>();
  readonly #life = new AbortController();
  readonly #subscription: { unsubscribe(): void };
  #lastId = 0;

  constructor(parts: DeskDeps) {
    this.#parts = parts;
    // Market data are not asked for; what comes of the account is read, not followed.
    this.#subscription = parts.venue.events.subscribe((event) => this.#hear(event));
  }

  get isClosed(): boolean {
    return this.#life.signal.aborted;
  }

  async read(what: ReadTarget): Promise<DeskRead> {
    const commandId = this.#nextId();
    const found: { answer?: ReadAnswered | undefined } = {};
    const outcome = await this.#send({ kind: 'read', commandId, what }, [commandId], (answer) => {
      found.answer = answer;
    });
    return { outcome, answer: found.answer };
  }

  cancel(order: VenueOrder, product: Product): Promise<DeskOutcome> {
    const command = this.#cancelOf(order, product);
    return this.#send(command, [command.commandId]);
  }

  /** One request that cancels all orders of a symbol: `orders` must be all that are live there. */
  cancelSymbol(
    instrument: InstrumentId,
    product: Product,
    orders: readonly VenueOrder[],
  ): Promise<DeskOutcome> {
    const cancels = orders.map((order) => this.#cancelOf(order, product));
    const ids = cancels.map(({ commandId }) => commandId);
    const commandId = ids[0] ?? this.#nextId();
    return this.#send({ kind: 'cancelOrders', commandId, instrument, ...named(product), cancels }, ids);
  }

  /** Ends what is under way as unsent or unanswered, and the sessions. */
  async close(): Promise<void> {
    this.#life.abort();
    await this.#parts.venue.close();
    this.#subscription.unsubscribe();
    for (const { settle } of this.#waiting.values()) settle('unanswered');
    this.#waiting.clear();
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #cancelOf({ clientOrderId, instrument }: VenueOrder, product: Product): CancelOrderCommand {
    return {
      kind: 'cancelOrder',
      commandId: this.#nextId(),
      strategy: sentinelName,
      clientOrderId,
      instrument,
      ...named(product),
    };
  }

  /** Waits for a turn within the budget, sends, and waits for the end of the first of `ids`, which holds the turn of all. */
  async #send(
    command: Command,
    ids: readonly number[],
    answered?: (answer: ReadAnswered | undefined) => void,
  ): Promise<DeskOutcome> {
    const { venue, budgets, clock, mayCancel } = this.#parts;
    const { signal } = this.#life;
    let slot = -1;
    while (!signal.aborted) {
      slot = budgets.take(command);
      if (slot >= 0) break;
      await pause(clock, micros(Math.max(1_000, budgets.wait(command))), signal);
    }
    if (slot < 0) return 'unsent';
    if (command.kind !== 'read' && !mayCancel()) {
      budgets.settle(slot, 'refused');
      return 'unsent';
    }
    const [first = command.kind === 'read' ? command.commandId : 0, ...others] = ids;
    const outcome = await new Promise<DeskOutcome>((settle) => {
      this.#waiting.set(first, { slot, settle, parts: [] });
      for (const id of others) this.#waiting.set(id, { slot: -1, settle: () => {}, parts: [] });
      venue.send(command);
    });
    const parts = this.#waiting.get(first)?.parts ?? [];
    answered?.(parts.at(-1)?.more === undefined && parts.length > 0 ? joinedAnswer(parts) : undefined);
    this.#waiting.delete(first);
    return outcome;
  }

  #hear(event: Event): void {
    if (event.kind === 'readAnswered') this.#waiting.get(event.commandId)?.parts.push(event);
    if (event.kind !== 'commandSettled') return;
    const waiting = this.#waiting.get(event.commandId);
    if (waiting === undefined) return;
    if (waiting.slot < 0) this.#waiting.delete(event.commandId);
    else this.#parts.budgets.settle(waiting.slot, event.outcome);
    waiting.settle(event.outcome);
  }
}

function named(product: Product): { readonly product?: Product } {
  return product === 'spot' ? {} : { product };
}
