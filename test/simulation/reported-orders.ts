import type { Amount } from '../../src/core/base/amount.ts';
import { zero } from '../../src/core/base/amount.ts';
import { ownerOf } from '../../src/core/model/client-order-id.ts';
import { isTerminal } from '../../src/core/model/order-life.ts';
import type {
  Event,
  ExecutionCorrected,
  MarginFound,
  OrderReport,
  OwnTrade,
  ReadAnswered,
} from '../../src/core/model/event.ts';
import type { Instruments, Ticks } from '../../src/core/model/instrument.ts';
import type { MarginMode, PositionAccount, PositionView } from '../../src/core/model/margin.ts';
import { accountOf, positionAccounts } from '../../src/core/model/margin.ts';
import type { ClientOrderId, Order, Side } from '../../src/core/model/order.ts';
import { externalStrategy } from '../../src/core/ledger/position.ts';
import type { ExchangeTrade } from './exchange-money.ts';
import { keyOfTrade } from './exchange-money.ts';
import type { Marks } from './marks.ts';
import { Profits } from './profits.ts';
import { placeOf } from './traded.ts';
import { workloadName } from './cast.ts';

/** What the exchange was made to tell that is not so. */
export interface Lies {
  /** Executions that were reported and never were, by key. */
  readonly invented: ReadonlyMap<string, ExchangeTrade>;
  /** What fees of trade histories were multiplied by. */
  readonly factors: Set<bigint>;
}

/** Reports of one order that a trader received. */
export interface Known {
  readonly instrument: number;
  readonly side: Side;
  readonly strategy: string;
  /** Where its trades are booked. */
  readonly account: PositionAccount;
  quantity: number;
  /** As the venue reports it: what closes a whole position has the size of that. */
  size: number | undefined;
  /** Ticks. */
  price: number;
  cumulative: number;
  booked: number;
  open: boolean;
  replaces: Known | undefined;
  unknown: boolean;
  /** A report, a list or a trade has named it: a request without an answer leaves no doubt. */
  noted: boolean;
  /** A report or a list has named it, and not its trades alone: its executed sum counts what its original executed. */
  reported: boolean;
  /** For its stop price or for the first order of its list: it rests nowhere. */
  waits: boolean;
  /** Placed as one with others. */
  readonly listed: boolean;
  /** What it adds to the rate of a taker. */
  readonly takeMarkup: Amount;
}

/**
 * Reports of orders and trades that a trader received, folded a second time in the plainest way: every trade once, every
 * executed sum at its highest, every end for good.
 */
export class ReportedOrders {
  readonly profits: Profits;
  readonly #marks: Marks;
  readonly #instruments: Instruments;
  readonly #orders = new Map<string, Known>();
  readonly #trades = new Set<string>();
  readonly #executed: ReadonlyMap<string, ExchangeTrade>;
  readonly #lies: Lies;
  /** Fees as the history reported them, where reports or balances had another, by the key of the execution. */
  readonly notedFees = new Map<string, Amount>();
  /** Executions that are booked and never were, by key: their orders. */
  readonly phantoms = new Map<string, string>();
  readonly #lied = new Set<string>();
  #executions = 0;
  readonly #reopened = new Set<string>();
  /** The mode of the account of each position seen: trades of the history name the position alone. */
  readonly #modes = new Map<number, MarginMode>();
  /** Orders of which we have no answer. */
  readonly unknown = new Set<string>();

  /** `executed`: the exchange's own record, which says what an execution came to once it is known of. */
  constructor(
    marks: Marks,
    instruments: Instruments,
    executed: ReadonlyMap<string, ExchangeTrade>,
    lies: Lies,
  ) {
    this.#lies = lies;
    this.#marks = marks;
    this.#instruments = instruments;
    this.profits = new Profits(instruments);
    this.#executed = executed;
  }

  /** How many executions the trader was informed of that the exchange has. */
  get executions(): number {
    return this.#executions;
  }

  /** Whether an execution of an order was made up. */
  isLiedAbout(id: string): boolean {
    return this.#lied.has(id);
  }

  order(id: string): Known | undefined {
    return this.#orders.get(id);
  }

  /** Orders that may be live. */
  *open(): Iterable<readonly [ClientOrderId, Known]> {
    for (const [id, known] of this.#orders) if (known.open) yield [id as ClientOrderId, known];
  }

  *unknownOrders(): Iterable<Known> {
    for (const id of this.unknown) {
      const known = this.#orders.get(id);
      if (known?.unknown === true) yield known;
    }
  }

  /** Lots of the other orders of its strategy, on its side and in its account, that may execute: lists are left out. */
  workingBeside(one: Known): number {
    let lots = 0;
    for (const known of this.#orders.values()) {
      if (!known.open || known === one || known === one.replaces || known.listed) continue;
      const { instrument, account, side, strategy } = known;
      if (instrument !== one.instrument || account !== one.account || side !== one.side) continue;
      const other = known.replaces?.open === true ? leftOf(known.replaces) : 0;
      if (strategy === one.strategy) lots += Math.max(0, leftOf(known) - other);
    }
    return lots;
  }

  /** Own orders of a symbol that may be live, in lots by side: what limits must count. */
  worst(instrument: number, side: Side): { count: number; lots: number } {
    let count = 0;
    let lots = 0;
    for (const known of this.#orders.values()) {
      if (!known.open || known.instrument !== instrument) continue;
      count += 1;
      // What waits finds another position when it comes to work.
      if (known.side !== side || known.waits) continue;
      const left = leftOf(known);
      // Of an order and the one that is to replace it, only one will execute.
      const other = known.replaces?.open === true ? leftOf(known.replaces) : 0;
      lots += Math.max(0, left - other);
    }
    return { count, lots };
  }

  /** What own orders of spot that may be live may take: quote money in ticks times lots for buys, lots of the base for sells. */
  cost(instrument: number, side: Side): number {
    let cost = 0;
    for (const known of this.#orders.values()) {
      if (!known.open || known.instrument !== instrument || known.side !== side) continue;
      // Of orders of which one ends the other, one alone reserves: lists are left out.
      if (known.account !== 'spot' || known.listed) continue;
      const other = known.replaces?.open === true ? costOf(known.replaces) : 0;
      cost += Math.max(0, costOf(known) - other);
    }
    return cost;
  }

  /** An own order that one of `side` at `price` would meet. */
  opposite(instrument: number, side: Side, price: number): string | undefined {
    for (const [id, known] of this.#orders) {
      if (!known.open || known.instrument !== instrument || known.side === side) continue;
      // What takes whatever there is rests nowhere either.
      if (known.waits || known.price === 0) continue;
      if (known.strategy !== 'external' && (side === 'buy' ? known.price <= price : known.price >= price))
        return id;
    }
    return undefined;
  }

  /** Signed lots of an instrument over all accounts. */
  net(instrument: number): number {
    return positionAccounts.reduce((sum, account) => sum + this.netOf(instrument, account), 0);
  }

  /** Of these, the lots that are nobody's: traded by orders of others, which reduced nothing of ours. */
  externalOf(place: string): number {
    return this.profits.lotsOf(externalStrategy, place);
  }

  netOf(instrument: number, account: PositionAccount): number {
    return this.profits.netOf(placeOf(instrument, account));
  }

  /** Returns whether there were executions in it. */
  fold(event: Event): boolean {
    switch (event.kind) {
      case 'orderPending': {
        const { request, strategy } = event.command;
        this.#begin(request.clientOrderId, { ...request, strategy });
        return false;
      }
      case 'replacePending': {
        const { newClientOrderId, clientOrderId } = event.command;
        this.#begin(newClientOrderId, event.command, clientOrderId);
        return false;
      }
      case 'orderDenied':
        if (event.action === 'place' || event.action === 'replace') this.#end(event.clientOrderId);
        return false;
      case 'orderRejected':
        this.#end(event.clientOrderId);
        return false;
      case 'orderUnknown':
        this.#doubt(event.clientOrderId);
        return false;
      case 'orderProvenAbsent':
        this.#end(event.clientOrderId);
        return false;
      case 'orderFoundAlive':
        this.#reopen(event.clientOrderId);
        return false;
      case 'orderReport':
        return this.#reported(event);
      case 'marginAccount':
        this.#seen(event.account.positions);
        return false;
      case 'marginFound':
        this.#adopt(event);
        return false;
      case 'readAnswered':
        return this.#read(event);
      case 'executionCorrected':
        this.#correct(event);
        return true;
      case 'lossLimitCleared':
        if (event.limit === 'losingTrades' && event.recounted !== true) this.profits.forgive(event);
        return false;
      default:
        return false;
    }
  }

  #begin(
    id: ClientOrderId,
    { instrument, side, quantity, price, strategy, margin, stopPrice, list, takeRate }: Wish,
    replaces?: ClientOrderId,
  ): void {
    if (this.#orders.has(id)) return;
    const original = replaces === undefined ? undefined : this.#orders.get(replaces);
    this.#orders.set(id, {
      instrument,
      side,
      strategy,
      quantity,
      size: quantity === 0 ? undefined : quantity,
      price: price ?? 0,
      cumulative: 0,
      booked: 0,
      open: true,
      replaces: original,
      account: original?.account ?? accountOf({ margin }),
      unknown: false,
      noted: false,
      reported: false,
      listed: list !== undefined || original?.listed === true,
      takeMarkup: original?.takeMarkup ?? takeRate ?? zero,
      waits: stopPrice !== undefined || (list?.orders.indexOf(id) ?? 0) > 0,
    });
  }

  #end(id: string): void {
    const known = this.#orders.get(id);
    if (known === undefined) return;
    known.open = false;
    known.unknown = false;
  }

  /** Every report of a replacement names its original, also of one that was found alive since. */
  #replaced(id: string): void {
    if (!this.#reopened.has(id)) this.#end(id);
  }

  #reopen(id: string): void {
    this.#reopened.add(id);
    const known = this.#orders.get(id);
    if (known === undefined) return;
    known.open = true;
    // What was to replace it stands beside it: both may execute.
    for (const other of this.#orders.values()) if (other.replaces === known) other.replaces = undefined;
  }

  #doubt(id: string): void {
    const known = this.#orders.get(id);
    if (known === undefined || !known.open || known.noted) return;
    known.unknown = true;
    this.unknown.add(id);
    this.#marks.hit('branch/order unknown');
  }

  #reported({ order, fill }: OrderReport): boolean {
    const known = this.#orders.get(order.clientOrderId);
    if (known === undefined) this.#begin(order.clientOrderId, { ...order, strategy: this.#holderOf(order) });
    const entry = this.#orders.get(order.clientOrderId) as Known;
    if (entry.unknown) this.#marks.hit('branch/unknown ended by a report');
    entry.unknown = false;
    entry.noted = true;
    entry.reported = true;
    if (entry.quantity === 0) entry.size = order.quantity;
    entry.cumulative = Math.max(entry.cumulative, order.cumulative);
    entry.waits = order.state === 'suspended';
    if (isTerminal(order.state)) entry.open = false;
    if (order.originalClientOrderId !== undefined) this.#replaced(order.originalClientOrderId);
    return fill === undefined ? false : this.#book({ ...order, account: accountOf(order) }, fill);
  }

  /** An order of others, such as a liquidation, belongs to the one strategy whose position on margin it reduces. */
  #holderOf(order: ForeignOrder): string {
    const account = 'account' in order ? order.account : accountOf(order);
    if (account === 'spot' || ownerOf(order.clientOrderId) !== undefined) return 'external';
    const place = placeOf(order.instrument, account);
    const own = this.netOf(order.instrument, account) - this.externalOf(place);
    return own !== 0 && own > 0 === (order.side === 'sell') ? workloadName : 'external';
  }

  #adopt({ position, account, lots, price }: MarginFound): void {
    if (position === undefined || lots === 0) return;
    const grid = this.#instruments.at(position);
    this.profits.adopt(grid, account.mode, lots, price ?? grid.priceAmount(1 as Ticks));
  }

  #seen(positions: readonly PositionView[]): void {
    for (const { id, mode } of positions) this.#modes.set(id, mode);
  }

  #accountOf({ clientOrderId, positionId }: OwnTrade): PositionAccount {
    const known = this.#orders.get(clientOrderId)?.account;
    return known ?? (positionId === undefined ? 'spot' : (this.#modes.get(positionId) ?? 'isolated'));
  }

  #read({ orders, fills, marginAccounts = [] }: ReadAnswered): boolean {
    for (const { positions } of marginAccounts) this.#seen(positions);
    for (const order of orders) {
      const known = this.#orders.get(order.clientOrderId);
      if (known === undefined)
        this.#begin(order.clientOrderId, { ...order, strategy: this.#holderOf(order) });
      const entry = this.#orders.get(order.clientOrderId) as Known;
      if (entry.unknown) this.#marks.hit('branch/unknown ended by a read');
      entry.unknown = false;
      entry.noted = true;
      entry.reported = true;
      if (entry.quantity === 0) entry.size = order.quantity;
      entry.cumulative = Math.max(entry.cumulative, order.cumulative);
      entry.waits = order.state === 'suspended';
      if (isTerminal(order.state)) entry.open = false;
      if (order.originalClientOrderId !== undefined) this.#replaced(order.originalClientOrderId);
    }
    let booked = false;
    for (const fill of fills) {
      const entry = this.#orders.get(fill.clientOrderId);
      if (this.#book({ ...fill, account: this.#accountOf(fill) }, fill)) {
        booked = true;
        this.#marks.hit('branch/trade found in the history');
      }
      if (entry === undefined) continue;
      entry.unknown = false;
      entry.noted = true;
      entry.cumulative = Math.max(entry.cumulative, entry.booked);
      if (entry.size !== undefined && entry.cumulative >= entry.size) entry.open = false;
    }
    return booked;
  }

  #book(
    {
      instrument,
      side,
      clientOrderId,
      account,
    }: Pick<Order, 'instrument' | 'side' | 'clientOrderId'> & {
      readonly account: PositionAccount;
    },
    fill: Pick<OwnTrade, 'tradeId' | 'quantity' | 'positionId' | 'fee'>,
  ): boolean {
    const key = keyOfTrade({ instrument, side, tradeId: fill.tradeId });
    if (fill.positionId !== undefined && account !== 'spot') this.#modes.set(fill.positionId, account);
    if (this.#trades.has(key)) {
      this.#marks.hit('branch/trade told twice');
      return true;
    }
    this.#trades.add(key);
    const entry = this.#orders.get(clientOrderId);
    if (entry !== undefined) entry.booked += fill.quantity;
    const holder = entry?.strategy ?? this.#holderOf({ clientOrderId, instrument, side, account });
    const executed = this.#executed.get(key);
    const invented = this.#lies.invented.get(key);
    if (invented !== undefined) {
      this.phantoms.set(key, clientOrderId);
      this.#lied.add(clientOrderId);
      this.profits.book(holder, invented);
    }
    // An execution that the exchange does not have moves nothing.
    if (executed === undefined) return true;
    this.#executions += 1;
    this.profits.book(holder, this.#asNoted(key, executed, fill.fee));
    return true;
  }

  /** An execution with the fee that a history tells, where that is one of its lies. */
  #asNoted(key: string, executed: ExchangeTrade, noted: Amount): ExchangeTrade {
    const fee = this.#lies.factors
      .values()
      .map((factor) => (executed.fill.fee * factor) as Amount)
      .find((lie) => printed(lie) === noted && printed(executed.fill.fee) !== noted);
    if (fee === undefined) return executed;
    this.notedFees.set(key, noted);
    return { ...executed, fill: { ...executed.fill, fee } };
  }

  #correct({ correction: { cause, trade, holds } }: ExecutionCorrected): void {
    const key = keyOfTrade(trade);
    const executed = this.#executed.get(key);
    if (holds !== undefined) {
      if (executed !== undefined) this.profits.correct(key, this.#asNoted(key, executed, holds.fee));
      return;
    }
    this.#marks.hit(`branch/execution ${cause}`);
    this.profits.correct(key, undefined);
    this.#trades.delete(key);
    if (!this.phantoms.delete(key) && executed !== undefined) this.#executions -= 1;
    const entry = this.#orders.get(trade.clientOrderId);
    if (entry === undefined) return;
    entry.booked -= trade.quantity;
    entry.cumulative = Math.max(0, entry.cumulative - trade.quantity);
  }
}

type ForeignOrder = Pick<Order, 'clientOrderId' | 'instrument' | 'side'> &
  ({ readonly account: PositionAccount } | Pick<Order, 'margin'>);

type Wish = Pick<Order, 'instrument' | 'side' | 'quantity' | 'price' | 'strategy' | 'margin'> &
  Partial<Pick<Order, 'stopPrice' | 'list' | 'takeRate'>>;

function costOf(known: Known): number {
  return leftOf(known) * (known.side === 'buy' ? known.price : 1);
}

/** The interface cuts amounts after twelve decimals. */
export function printed(amount: Amount): Amount {
  return (amount - (amount % 10n ** 12n)) as Amount;
}

/** What of an order may still execute; the quantity of a replacement counts what its original executed. */
export function leftOf({ quantity, cumulative, replaces }: Known): number {
  return Math.max(0, quantity - Math.max(cumulative, replaces?.cumulative ?? 0));
}
