import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { ReadCommand } from '../../src/core/model/command.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';

export interface UnreadParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  /** Of the process that runs, if one does. */
  readonly view: () => StateView | undefined;
}

type Kind = ReadCommand['what']['of'];

/** What a complete read of the account asks for at least. */
const wanted: readonly Kind[] = ['activeOrders', 'balances', 'tradeHistory'];
/** So long after the message trading must have halted. */
const haltMax = 1_000_000;

interface Unread {
  readonly at: number;
  readonly process: unknown;
  halted: boolean;
  /** Reads that were asked for after the message, by command. */
  readonly asked: Map<number, Kind>;
  readonly answered: Set<Kind>;
}

/** After a message about the own account that cannot be read no order leaves until the account was read completely: I23. */
export class UnreadCheck {
  readonly #parts: UnreadParts;
  #unread: Unread | undefined;

  constructor(parts: UnreadParts) {
    this.#parts = parts;
  }

  /** A message that cannot be read is about to be handed over. */
  arrives(): void {
    const { time, view } = this.#parts;
    this.#unread = { at: time.now(), process: view(), halted: false, asked: new Map(), answered: new Set() };
  }

  /** A new process reads everything before it trades. */
  restart(): void {
    this.#unread = undefined;
  }

  /** The trader has taken this event in. */
  after(event: Event): void {
    const unread = this.#unread;
    if (unread === undefined) return;
    if (event.kind === 'modeChanged' && event.unread === true) unread.halted = true;
    else if (event.kind === 'readPending') unread.asked.set(event.command.commandId, event.command.what.of);
    else if (event.kind === 'readAnswered') {
      const kind = unread.asked.get(event.commandId);
      if (kind !== undefined) unread.answered.add(kind);
    }
  }

  /** The bytes of orders leave. */
  sent(ids: readonly string[]): void {
    const missing = wanted.filter((kind) => this.#unread?.answered.has(kind) === false);
    if (missing.length > 0)
      this.#parts.breaches.add(
        'I23',
        `order ${ids.join(', ')} left after a message that could not be read, and no ${missing.join(', ')} was read since`,
      );
  }

  afterStep(): void {
    const { time, breaches, view } = this.#parts;
    const unread = this.#unread;
    if (unread === undefined || unread.halted || time.now() - unread.at <= haltMax) return;
    if (unread.process === view())
      breaches.add('I23', 'trading goes on a second after a message about an own order could not be read');
    this.#unread = undefined;
  }
}
