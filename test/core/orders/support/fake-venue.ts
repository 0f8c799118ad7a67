import { zero } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { millis } from '../../../../src/core/base/clock.ts';
import type {
  ChangeMarginCommand,
  Command,
  NewOrderCommand,
  ReadCommand,
  ReadTarget,
  ReplaceOrderCommand,
} from '../../../../src/core/model/command.ts';
import type {
  CommandSettled,
  FundingRate,
  ReadBook,
  WalletTransfer,
  OwnTrade,
  ReadAnswered,
} from '../../../../src/core/model/event.ts';
import type { InstrumentId, Lots } from '../../../../src/core/model/instrument.ts';
import type { MarginAccountView } from '../../../../src/core/model/margin.ts';
import type { ClientOrderId, VenueOrder } from '../../../../src/core/model/order.ts';
import type { World } from './world.ts';
import { accountsIn, balancesIn, venueOrder } from './world.ts';

/** What the venue does with the next new order or cancel. */
export interface Manner {
  /** Whether, and how long after it left, the command takes effect; `undefined`: never. */
  readonly landsAfterMs: number | undefined;
  /** `silent`: no answer at all, not even a report. */
  readonly answer: 'reports' | 'silent' | 'unanswered' | 'limited';
}

/** Rows of a part of a list. */
const partRows = 100;

interface Kept {
  order: VenueOrder;
  since: Micros;
}

/** The other side of the corridor, as the truth of the tests: slow, lagging, forgetful, never lying. */
export class FakeVenue {
  readonly #world: World;
  readonly orders = new Map<ClientOrderId, Kept>();
  readonly trades: OwnTrade[] = [];
  /** New orders and replacements that reached the venue, by id: more than one is a duplicate. */
  readonly received: ClientOrderId[] = [];
  readonly cancels: ClientOrderId[] = [];
  readonly reads: ReadCommand[] = [];
  manner: Manner = { landsAfterMs: 5, answer: 'reports' };
  cancelManner: 'works' | 'refused' | 'unanswered' | 'silent' = 'works';
  /** Ended orders and trades appear in histories only after this. */
  historyLagMs = 0;
  /** Reads that get no answer at all. */
  deafReads = 0;
  /** Whether reads are answered with an outcome instead. */
  readOutcome: 'answered' | 'unanswered' = 'answered';
  connected = true;
  /** What becomes of replacements: nothing, or they stand beside the order they replace. */
  replaceManner: 'silent' | 'keepsOriginal' = 'silent';
  /** Rows that the list of active orders shows although their orders have ended: it is older than their end. */
  readonly stale: VenueOrder[] = [];
  /** Margin accounts that reads show; those that are known when it is left out. */
  accounts: readonly MarginAccountView[] | undefined;
  readonly changes: ChangeMarginCommand[] = [];
  /** Settlements of funding, as they are published. */
  readonly fundingRates: FundingRate[] = [];
  /** What the history of the wallet names, and whether the key may read it. */
  readonly transfers: WalletTransfer[] = [];
  mayReadWallet = true;
  /** What a read of a book shows, as of when it was asked. */
  bookOf: (instrument: InstrumentId) => ReadBook | undefined = () => undefined;

  constructor(world: World) {
    this.#world = world;
    this.attach(world);
  }

  attach(world: World): void {
    world.onCommand = (command) => this.#receive(world, command);
  }

  up(world = this.#world): void {
    this.connected = true;
    world.step({ kind: 'sessionUp', ...world.times, session: 'trading' });
  }

  down(world = this.#world): void {
    this.connected = false;
    world.step({ kind: 'sessionDown', ...world.times, session: 'trading', why: 'reset' });
  }

  /** An order that the venue has and that no report showed us. */
  put(order: VenueOrder): void {
    this.orders.set(order.clientOrderId, { order, since: this.#world.clock.now() });
  }

  /** The order executes at the venue, in silence. */
  fillSilently(id: ClientOrderId, lots: number): void {
    const kept = this.orders.get(id);
    if (kept === undefined) throw new Error(`the venue has no order ${id}`);
    const now = this.#world.clock.now();
    const cumulative = (kept.order.cumulative + lots) as Lots;
    const state = cumulative === kept.order.quantity ? 'filled' : 'partiallyFilled';
    this.orders.set(id, { order: { ...kept.order, cumulative, state, updatedAt: now }, since: now });
    this.trades.push({
      tradeId: `x${this.trades.length + 1}`,
      price: kept.order.price ?? (1 as never),
      quantity: lots as Lots,
      fee: zero,
      taker: false,
      time: now,
      instrument: kept.order.instrument,
      clientOrderId: id,
      venueOrderId: kept.order.venueOrderId,
      side: kept.order.side,
    });
  }

  liveCount(): number {
    return [...this.orders.values()].filter(({ order }) => isLive(order)).length;
  }

  #receive(world: World, command: Command): void {
    switch (command.kind) {
      case 'newOrder':
        this.received.push(command.request.clientOrderId);
        this.#place(world, command, this.manner);
        return;
      case 'cancelOrder':
        this.cancels.push(command.clientOrderId);
        world.clock.after(millis(5), () => this.#cancel(world, command.clientOrderId, command.commandId));
        return;
      case 'read':
        this.reads.push(command);
        if (this.deafReads > 0) this.deafReads -= 1;
        else world.clock.after(millis(5), () => this.#read(world, command, world.clock.now()));
        return;
      case 'replaceOrder':
        this.received.push(command.newClientOrderId);
        world.clock.after(millis(5), () => this.#replace(world, command));
        return;
      case 'changeMargin':
        this.changes.push(command);
    }
  }

  #replace(world: World, { clientOrderId, newClientOrderId, quantity, price }: ReplaceOrderCommand): void {
    const kept = this.orders.get(clientOrderId);
    if (kept === undefined || this.replaceManner === 'silent') return;
    const now = world.clock.now();
    const request = { ...kept.order, clientOrderId: newClientOrderId, quantity, price };
    const order: VenueOrder = { ...venueOrder(request, now), originalClientOrderId: clientOrderId };
    this.put(order);
    world.step({ kind: 'orderReport', ...world.times, reportType: 'replaced', order, fill: undefined });
  }

  #place(world: World, command: NewOrderCommand, manner: Manner): void {
    const { request } = command;
    if (manner.landsAfterMs !== undefined) {
      world.clock.after(millis(manner.landsAfterMs), () => {
        const order = venueOrder(request, world.clock.now());
        this.put(order);
        if (manner.answer !== 'reports' || !this.connected) return;
        world.step({ kind: 'orderReport', ...world.times, reportType: 'new', order, fill: undefined });
      });
    }
    if (manner.answer === 'unanswered' || manner.answer === 'limited') {
      const { answer } = manner;
      world.clock.after(millis(10), () =>
        this.#settle(world, command.commandId, 'new', answer, request.clientOrderId),
      );
    }
  }

  #cancel(world: World, id: ClientOrderId, commandId: number): void {
    const kept = this.orders.get(id);
    if (this.cancelManner === 'silent') return;
    if (this.cancelManner === 'unanswered') {
      this.#settle(world, commandId, 'cancel', 'unanswered', id);
      return;
    }
    if (this.cancelManner === 'refused' || kept === undefined || !isLive(kept.order)) {
      world.step({
        kind: 'cancelRejected',
        ...world.times,
        clientOrderId: id,
        code: 20_002,
        why: 'Order not found',
      });
      this.#settle(world, commandId, 'cancel', 'refused', id);
      return;
    }
    const now = world.clock.now();
    const order: VenueOrder = { ...kept.order, state: 'canceled', updatedAt: now };
    this.orders.set(id, { order, since: now });
    world.step({ kind: 'orderReport', ...world.times, reportType: 'canceled', order, fill: undefined });
    this.#settle(world, commandId, 'cancel', 'acknowledged', id);
  }

  #read(world: World, { commandId, what }: ReadCommand, now: Micros): void {
    if (!this.connected || this.readOutcome === 'unanswered') {
      this.#settle(world, commandId, 'read', 'unanswered', undefined);
      return;
    }
    if (what.of === 'transfers' && !this.mayReadWallet) {
      this.#settle(world, commandId, 'read', 'refused', undefined);
      return;
    }
    const shownSince = now - millis(this.historyLagMs);
    const kept = [...this.orders.values()];
    const orders =
      what.of === 'activeOrders'
        ? [...kept.filter(({ order }) => isLive(order)), ...this.stale.map((order) => ({ order }))]
        : what.of === 'orderHistory'
          ? kept.filter(
              ({ order, since }) => order.clientOrderId === what.clientOrderId && since <= shownSince,
            )
          : [];
    const rows = orders.map(({ order }) => order);
    const answer: ReadAnswered = {
      kind: 'readAnswered',
      ...world.times,
      commandId,
      what,
      askedAt: (now - millis(5)) as Micros,
      orders: rows.slice(0, partRows),
      fills:
        what.of === 'tradeHistory'
          ? this.trades.filter(({ time }) => time >= what.since && time <= shownSince)
          : [],
      balances: balancesIn(world.state, what),
      ...this.#accounts(world, what),
      ...(what.of === 'fundingRates' && {
        fundingRates: this.fundingRates.filter(({ time }) => time >= what.since),
      }),
      ...(what.of === 'book' && { book: this.bookOf(what.instrument) }),
      ...(what.of === 'transfers' && {
        transfers: this.transfers.filter(({ time }) => time >= what.since),
      }),
    };
    this.#answer(world, answer, rows.slice(partRows));
  }

  /** A long list comes in parts, as from the live venue. */
  #answer(world: World, part: ReadAnswered, left: readonly VenueOrder[]): void {
    const isLast = left.length === 0;
    world.step({ ...part, ...world.times, ...(!isLast && { more: true }) });
    if (isLast) this.#settle(world, part.commandId, 'read', 'acknowledged', undefined);
    else
      world.clock.after(millis(1), () => {
        this.#answer(world, { ...part, orders: left.slice(0, partRows) }, left.slice(partRows));
      });
  }

  #accounts(world: World, what: ReadTarget): Pick<ReadAnswered, 'marginAccounts'> {
    if (what.of !== 'marginAccounts' || this.accounts === undefined) return accountsIn(world.state, what);
    const isContract = ({ instrument, positions }: MarginAccountView): boolean => {
      const of = instrument ?? positions[0]?.instrument;
      return of !== undefined && world.instruments.at(of).spec.type === 'futures';
    };
    return {
      marginAccounts: this.accounts.filter((account) => isContract(account) === (what.product === 'futures')),
    };
  }

  #settle(
    world: World,
    commandId: number,
    lane: CommandSettled['lane'],
    outcome: CommandSettled['outcome'],
    clientOrderId: ClientOrderId | undefined,
  ): void {
    world.step({ kind: 'commandSettled', ...world.times, commandId, lane, outcome, clientOrderId });
  }
}

function isLive({ state }: VenueOrder): boolean {
  return state === 'new' || state === 'partiallyFilled' || state === 'suspended';
}
