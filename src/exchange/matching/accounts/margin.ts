import type { Amount } from '../../../core/base/amount.ts';
import { add, subtract, zero, negate } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Instrument, InstrumentId, Lots, Ticks } from '../../../core/model/instrument.ts';
import type {
  MarginAccountView,
  MarginMode,
  MarginReason,
  MarginReportType,
  PositionView,
} from '../../../core/model/margin.ts';
import type { MarginRule, MarginTerms } from '../../../core/model/margin-math.ts';
import {
  boundary,
  positionMargin,
  resultAt,
  boundaryPrice,
  divide,
} from '../../../core/model/margin-math.ts';
import type { AccountId } from './command.ts';
import { isFuturesAccount } from './command.ts';
import type { Wallets } from './wallets.ts';
import type { Wallet } from './integer-balances.ts';

/** An instrument as margin sees it: what it is, what it demands, what it costs now. */
export interface MarginMarket {
  readonly instrument: Instrument;
  /** Price of the last trade; the mark price goes before it where there is one. */
  readonly last: Ticks | undefined;
  readonly mark: Ticks | undefined;
}

/** Position of an account on one instrument. */
export interface MarginPosition {
  readonly id: number;
  readonly market: MarginMarket;
  readonly rule: MarginRule;
  readonly terms: MarginTerms;
  /** Signed; 0 once it is closed. */
  quantity: Lots;
  /** Amount paid for it, or received when it is short: exact, and shared out as it is closed. */
  cost: Amount;
  feeCumulative: Amount;
  createdAt: Micros;
  updatedAt: Micros;
}

/** A report for the end of a command: of the account as it is then, or as it was at the moment. */
export interface MarginNote {
  readonly type: MarginReportType;
  readonly reason: MarginReason;
  readonly view?: MarginAccountView;
}

export interface MarginAccountDeps {
  readonly owner: AccountId;
  readonly mode: MarginMode;
  readonly instrument: InstrumentId | undefined;
  /** The balance margin comes from and goes back to. */
  readonly funding: Wallet;
  /** Set for an account whose leverage was chosen; otherwise that of each instrument's rule counts. */
  readonly leverage: Amount | undefined;
  readonly auto: boolean;
  readonly now: Micros;
}

/** Margin of one symbol (isolated) or of one currency (cross), with the positions and orders it carries. */
export class MarginAccount {
  readonly owner: AccountId;
  readonly mode: MarginMode;
  readonly instrument: InstrumentId | undefined;
  readonly funding: Wallet;
  readonly createdAt: Micros;
  readonly positions = new Map<InstrumentId, MarginPosition>();
  /** Reports for the end of the command, in the order they happened. */
  readonly notes: MarginNote[] = [];
  leverage: Amount | undefined;
  updatedAt: Micros;
  balance: Amount = zero;
  reservedOrders: Amount = zero;
  auto: boolean;
  /** Automatic management was switched on before there was an order: nothing is given back until there has been one. */
  idle = false;
  amr = false;
  /** Cross margin of contracts: what orders and losses need comes from the derivatives balance. Source: v3-gaps, section 8. */
  readonly draws: boolean;
  /** A margin call stands. */
  called = false;
  isOpen = true;

  constructor(setup: MarginAccountDeps) {
    this.owner = setup.owner;
    this.mode = setup.mode;
    this.instrument = setup.instrument;
    this.funding = setup.funding;
    this.leverage = setup.leverage;
    this.auto = setup.auto;
    this.draws = drawsOnBalance(setup.owner, setup.mode);
    this.createdAt = setup.now;
    this.updatedAt = setup.now;
  }

  get currency(): string {
    return this.funding.currency;
  }

  /** The minimum that cannot be taken out: what the positions need. */
  get reservedPositions(): Amount {
    let sum = zero;
    for (const { cost, terms } of this.positions.values()) sum = add(sum, positionMargin(cost, terms));
    return sum;
  }

  /** Margin that new orders may still use. */
  get free(): Amount {
    return subtract(this.balance, add(this.reservedPositions, this.reservedOrders));
  }

  /** Reserves for an order. An automatic account takes what is missing from the balance it draws on. */
  reserve(wallets: Wallets, amount: Amount): boolean {
    const missing = subtract(amount, this.free);
    if (amount > zero && missing > zero) {
      if (!(this.auto || this.draws) || !this.fund(wallets, missing)) return false;
    }
    this.reservedOrders = add(this.reservedOrders, amount);
    this.idle = false;
    return true;
  }

  release(amount: Amount): void {
    this.reservedOrders = subtract(this.reservedOrders, amount);
  }

  /** Moves `amount` (it may be negative) from the trading balance; false, and nothing is done, if there is too little. */
  fund(wallets: Wallets, amount: Amount): boolean {
    if (!wallets.deposit(this.funding, -amount as Amount)) return false;
    this.balance = add(this.balance, amount);
    return true;
  }

  /** Margin and the results of all positions but one. */
  equity(without?: MarginPosition): Amount {
    let sum = this.balance;
    for (const position of this.positions.values())
      if (position !== without) sum = add(sum, unrealizedResult(position));
    return sum;
  }

  /** The equity at which a margin call is sent, or positions are liquidated. */
  needed(what: 'call' | 'liquidation', without?: MarginPosition): Amount {
    let sum = zero;
    for (const position of this.positions.values()) {
      if (position === without) continue;
      const price = valuationPrice(position.market);
      if (price === undefined) continue;
      const size = Math.abs(position.quantity) as Lots;
      const worth = position.market.instrument.notional(price, size);
      sum = add(sum, boundary(worth, position.terms, multiplierOf(position, what)));
    }
    return sum;
  }
}

/** Whether orders of this mode need no margin set aside before: those of contracts on cross margin. */
export function drawsOnBalance(owner: AccountId, mode: MarginMode): boolean {
  return mode === 'cross' && isFuturesAccount(owner);
}

function multiplierOf({ rule }: MarginPosition, what: 'call' | 'liquidation'): Amount {
  return what === 'call' ? rule.callMultiplier : rule.liquidationMultiplier;
}

/** The price positions are valued at. */
export function valuationPrice({ mark, last }: MarginMarket): Ticks | undefined {
  return mark ?? last;
}

/** The unrealized result of a position; zero before the first price. */
function unrealizedResult({ market, quantity, cost }: MarginPosition): Amount {
  const price = valuationPrice(market);
  return price === undefined || quantity === 0 ? zero : resultAt(market.instrument, quantity, cost, price);
}

/** The account as it is now; later changes do not reach it. */
export function viewOf(account: MarginAccount): MarginAccountView {
  return {
    mode: account.mode,
    instrument: account.instrument,
    currency: account.currency,
    leverage: account.leverage,
    balance: account.balance,
    reservedOrders: account.reservedOrders,
    reservedPositions: account.reservedPositions,
    callMargin: account.needed('call'),
    liquidationMargin: account.needed('liquidation'),
    positions: [...account.positions.values()].map((position) => positionView(account, position)),
    called: account.called,
    auto: account.auto,
    amr: account.amr,
    createdAt: account.createdAt,
    updatedAt: account.updatedAt,
  };
}

/** A position of an account as it is now. */
export function positionView(account: MarginAccount, position: MarginPosition): PositionView {
  const { instrument } = position.market;
  const size = instrument.quantityAmount(Math.abs(position.quantity) as Lots);
  const priceAt = (what: 'call' | 'liquidation') =>
    position.quantity === 0
      ? undefined
      : boundaryPrice({
          instrument,
          quantity: position.quantity,
          cost: position.cost,
          margin: subtract(account.equity(position), account.needed(what, position)),
          terms: position.terms,
          multiplier: multiplierOf(position, what),
        });
  return {
    id: position.id,
    instrument: instrument.id,
    mode: account.mode,
    leverage: position.terms.leverage,
    quantity: position.quantity < 0 ? negate(size) : size,
    pnl: unrealizedResult(position),
    feeCumulative: position.feeCumulative,
    entry: size === zero ? zero : divide(position.cost, size),
    marginCall: priceAt('call'),
    liquidation: priceAt('liquidation'),
    createdAt: position.createdAt,
    updatedAt: position.updatedAt,
    auto: account.auto,
    amr: account.amr,
  };
}
