import type { Amount } from '../../src/core/base/amount.ts';
import {
  add,
  formatAmount,
  multiply,
  negate,
  parseAmount,
  subtract,
  zero,
} from '../../src/core/base/amount.ts';
import { chargesOf } from '../../src/core/ledger/entry.ts';
import type { Position } from '../../src/core/ledger/position.ts';
import { profitAt } from '../../src/core/ledger/valuation.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Instrument, InstrumentId, Instruments, Ticks } from '../../src/core/model/instrument.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { AccountCheck } from './check-accounts.ts';
import type { ChargeCheck } from './check-charges.ts';
import type { StateCheck } from './check-state.ts';
import type { Breaches } from './breaches.ts';
import type { ExchangeMoney } from './exchange-money.ts';
import { keyOfTrade } from './exchange-money.ts';
import { middleOf } from './middle.ts';
import type { Holding } from './profits.ts';
import { heldIn, lotsIn, profitOf } from './profits.ts';
import { placeOf } from './traded.ts';

export interface LedgerParts {
  readonly breaches: Breaches;
  readonly instruments: Instruments;
  readonly money: ExchangeMoney;
  readonly state: StateCheck;
  readonly charges: ChargeCheck;
  readonly accounts: AccountCheck;
  /** Orders that nothing tells of. */
  readonly hidden: ReadonlySet<string>;
}

/** The interface cuts amounts after twelve decimals: sums of a few are nearer than this. */
const near = parseAmount('0.00000000001');
/** Quotients that are cut at the last of 24 decimals. */
const cut = parseAmount('0.000000000000000001');

/**
 * Ledger of the trader held against the exchange's own record, after every step that may book something: of each holder and account
 * the position, its average price, fees, cash, realised profit and profit at the market; of each position the charges. The record is
 * read as far as the trader was informed of it. I4; losses that the exchange bore, I18.
 */
export class LedgerCheck {
  readonly #parts: LedgerParts;
  /** Whether something may have been booked in the step that is handled; what a process rebuilt from its journal is, with its first step. */
  #isDue = true;
  /**
   * Executions known of each position, as long as they came in the order in which they happened, and nothing was taken over that they do
   * not explain: otherwise what one of them realised depends on the order.
   */
  readonly #known = new Map<string, number>();

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  restart(): void {
    this.#isDue = true;
  }

  /** The trader has taken this event in, and perhaps verdicts that follow from it. */
  after(event: Event, view: StateView): void {
    if (event.kind === 'marginFound' && event.lots !== 0 && event.position !== undefined)
      this.#known.set(placeOf(event.position, event.account.mode), Number.NaN);
    if (!this.#isDue && !mayBook(event)) return;
    this.#isDue = true;
    this.#checkEntries(view);
    this.#checkHolders(view);
  }

  afterStep(view: StateView): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#compare(view);
  }

  /** In the quiet every execution was reported, and every loss that the exchange bore is known. */
  checkEnd(view: StateView): void {
    const { breaches, money, state, hidden } = this.#parts;
    let missing = money.trades.size - state.orders.executions;
    if (hidden.size > 0)
      for (const { clientOrderId } of money.trades.values()) if (hidden.has(clientOrderId)) missing -= 1;
    if (missing !== 0) breaches.add('I6', `${missing} executions of the exchange were not told of`);
    for (const id of state.orders.phantoms.values())
      breaches.add('I6', `an execution of ${id} that never was is still booked`);
    this.#compare(view, hidden.size === 0);
  }

  #compare(view: StateView, isEnd = false): void {
    const { state, breaches, instruments, charges, money } = this.#parts;
    const positions = view.positions();
    const left = new Map(positions.map((one) => [keyOf(one.strategy, one), one]));
    const nets = new Map<string, number>();
    let borne = zero;
    for (const holding of state.orders.profits.all()) {
      const grid = instruments.at(holding.instrument);
      const key = keyOf(holding.holder, holding);
      const position = left.get(key) ?? view.position(holding.instrument, holding.holder, holding.account);
      left.delete(key);
      borne = add(borne, this.#checkHolding(holding, position, { grid, view }));
      const place = placeOf(holding.instrument, holding.account);
      nets.set(place, (nets.get(place) ?? 0) + lotsIn(holding, grid));
    }
    for (const [key, { fillCount, cash, held }] of left)
      if (fillCount !== 0 || cash !== zero || held !== zero)
        breaches.add('I4', `nothing was executed for ${key}, and ${formatAmount(held)} are booked`);
    this.#checkNets(nets, view);
    this.#checkCharges(positions, charges.charged());
    // At which price somebody closed a part of a position without a trace is a guess, and so is what the rest of it lost.
    if (this.#isGuessed()) return;
    // What was taken of an account in silence before it was liquidated is a part that the exchange bore, and nothing shows it any more.
    const most = money.drawn.reduce(add, money.borne);
    const slack = add(add(near, this.#notedOtherwise()), most === zero ? zero : charges.missed());
    if (borne > add(most, slack))
      breaches.add(
        'I18',
        `the exchange bore ${formatAmount(money.borne)} of all losses, booked are ${formatAmount(borne)}`,
      );
    else if (subtract(money.borne, borne) > slack && (isEnd || this.#isUpToDate()))
      breaches.add(
        'I18',
        `the exchange bore ${formatAmount(money.borne)} of all losses, booked are only ${formatAmount(borne)}`,
      );
  }

  /** Whether somebody traded on a margin account without a trace. */
  #isGuessed(): boolean {
    const { money, hidden } = this.#parts;
    if (hidden.size === 0) return false;
    return money.trades
      .values()
      .some(({ account, clientOrderId }) => account !== 'spot' && hidden.has(clientOrderId));
  }

  /** By how much histories reported other fees of margin accounts than were taken: what their fills lost is known no better. */
  #notedOtherwise(): Amount {
    const { money, state } = this.#parts;
    let sum = zero;
    for (const [key, noted] of state.orders.notedFees) {
      const trade = money.trades.get(key);
      if (trade === undefined || trade.account === 'spot') continue;
      const by = subtract(noted, trade.fill.fee);
      sum = add(sum, by < zero ? negate(by) : by);
    }
    return sum;
  }

  /** Whether the trader was informed of all that the exchange did. */
  #isUpToDate(): boolean {
    const { money, state, accounts } = this.#parts;
    return money.trades.size === state.orders.executions && accounts.isUpToDate;
  }

  /** Returns the losses of the holder that the exchange bore. */
  #checkHolding(
    holding: Holding,
    position: Position,
    { grid, view }: { readonly grid: Instrument; readonly view: StateView },
  ): Amount {
    const borne = subtract(position.cash, holding.cash);
    const { size } = holding;
    const cost = size < 0n ? (-holding.openCost as Amount) : holding.openCost;
    const open = size < 0n ? (-heldIn(holding, grid) as Amount) : heldIn(holding, grid);
    const average = position.averagePrice ?? zero;
    const cents = subtract(multiply(average, open), holding.openCost);
    const middle = middleOf(holding.instrument, view);
    const profit = profitOf(holding, grid, middle);
    const theirs = profit === undefined ? undefined : add(profit, subtract(borne, position.charges));
    const price = middle === undefined ? undefined : ((grid.priceAmount(middle as Ticks) / 2n) as Amount);
    const shown = profitAt(position, grid, price);
    const wrong = [
      this.#unlike('lots', position.quantity, lotsIn(holding, grid)),
      this.#unlike('held', position.held, heldIn(holding, grid)),
      this.#unlike('executions', position.fillCount, holding.fillCount),
      this.#unlike('fees', position.fees, holding.fees),
      this.#unlike('turnover', position.turnover, holding.turnover),
      this.#unlike('cost', position.cost, cost),
      this.#unlike('realised profit', subtract(position.realized, borne), holding.realized),
      cents > cut || cents < -cut ? `an average price of ${formatAmount(average)}` : undefined,
      borne < zero || (borne > zero && holding.account === 'spot')
        ? `cash of ${formatAmount(position.cash)} instead of ${formatAmount(holding.cash)}`
        : undefined,
      theirs !== undefined && shown !== undefined && !isNear(theirs, shown)
        ? `a profit of ${formatAmount(shown)} instead of ${formatAmount(theirs)}`
        : undefined,
    ].filter((why) => why !== undefined);
    if (wrong.length > 0)
      this.#parts.breaches.add('I4', `${keyOf(holding.holder, holding)} is booked with ${wrong.join(', ')}`);
    return borne;
  }

  #unlike<Value extends bigint | number>(what: string, ours: Value, theirs: Value): string | undefined {
    if (ours === theirs) return undefined;
    const text = (value: bigint | number): string =>
      typeof value === 'bigint' ? formatAmount(value as Amount) : String(value);
    return `${text(ours)} ${what} instead of ${text(theirs)}`;
  }

  #checkNets(nets: ReadonlyMap<string, number>, view: StateView): void {
    for (const [place, lots] of nets) {
      const [instrument, account] = place.split(' ');
      const ours = view.netPosition(Number(instrument) as InstrumentId, account as never);
      if (ours !== lots)
        this.#parts.breaches.add('I4', `executions come to ${lots} lots of ${place}, booked are ${ours}`);
    }
  }

  /** What was charged for a position is booked to it, by what the exchange did and not by what was reported. */
  #checkCharges(positions: readonly Position[], taken: ReadonlyMap<string, Amount>): void {
    const booked = new Map<string, Amount>();
    for (const { instrument, account, charges } of positions) {
      const place = placeOf(instrument, account);
      booked.set(place, add(booked.get(place) ?? zero, charges));
    }
    for (const place of new Set([...booked.keys(), ...taken.keys()])) {
      const [ours, theirs] = [booked.get(place) ?? zero, taken.get(place) ?? zero];
      if (ours !== theirs)
        this.#parts.breaches.add(
          'I4',
          `${formatAmount(theirs)} were charged of ${place}, booked are ${formatAmount(ours)}`,
        );
    }
  }

  /** What was charged for a position is of those that hold it. */
  #checkHolders(view: StateView): void {
    const { state, breaches } = this.#parts;
    for (const { instrument, account, strategy, amount } of chargesOf(view.entries)) {
      const place = placeOf(instrument, account);
      const isHeld = state.orders.profits.netOf(place) !== 0;
      if (isHeld && state.orders.profits.lotsOf(strategy, place) === 0)
        breaches.add('I4', `${formatAmount(amount)} of ${place} were charged to ${strategy}, who holds none`);
    }
  }

  /** What an execution of a margin account realised is what the exchange says it did. */
  #checkEntries(view: StateView): void {
    for (const entry of view.entries) {
      if ((entry.kind !== 'fill' && entry.kind !== 'settlement') || entry.account === 'spot') continue;
      const executed = this.#parts.money.trades.get(keyOfTrade(entry.trade));
      if (executed?.pnl === undefined) continue;
      const place = placeOf(executed.instrument, executed.account);
      const known = this.#known.get(place) ?? 0;
      const isNext = executed.number === known + 1;
      if (executed.number > known || Number.isNaN(known))
        this.#known.set(place, isNext ? executed.number : Number.NaN);
      if (isNext && executed.pnl !== entry.realized)
        this.#parts.breaches.add(
          'I4',
          `trade ${entry.trade.tradeId} realised ${formatAmount(executed.pnl)}, booked are ${formatAmount(entry.realized)}`,
        );
    }
  }
}

function keyOf(holder: string, { instrument, account }: Pick<Position, 'instrument' | 'account'>): string {
  return `${holder} ${placeOf(instrument, account)}`;
}

function isNear(one: Amount, other: Amount): boolean {
  const difference = subtract(one, other);
  return difference < cut && difference > -cut;
}

function mayBook(event: Event): boolean {
  switch (event.kind) {
    case 'orderReport':
      return event.fill !== undefined;
    case 'readAnswered':
      return event.fills.length > 0 || event.marginAccounts !== undefined;
    case 'marginAccount':
    case 'marginFound':
    case 'chargeFound':
    case 'executionCorrected':
      return true;
    default:
      return false;
  }
}
