import type { Amount } from '../base/amount.ts';
import { zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { Instrument, InstrumentId, Ticks } from './instrument.ts';
import type { MarginProductName } from './product.ts';
import { productOf } from './product.ts';

/** Source: API v3, "Margin order", margin_mode. */
export const marginModes = ['isolated', 'cross'] as const;
export type MarginMode = (typeof marginModes)[number];

/** Where a position is kept: bought and sold on spot, or by a margin account of that mode. */
export const positionAccounts = ['spot', ...marginModes] as const;
export type PositionAccount = (typeof positionAccounts)[number];

/** Where the fills of an order are booked. A mode that is none, which the controls deny, has no account of its own. */
export function accountOf({ margin }: { readonly margin?: MarginMark | undefined }): PositionAccount {
  if (margin === undefined) return 'spot';
  return margin.mode === 'cross' ? 'cross' : 'isolated';
}

/** Fields of a margin order beyond those of a spot order. Source: API v3, "Margin order". */
export interface MarginMark {
  readonly mode: MarginMode;
  /** A fill never makes the position larger nor flips it. */
  readonly reduceOnly: boolean;
  /** A stop market order that closes the whole position, or is canceled. */
  readonly closePosition: boolean;
  /** Its account is opened, and the margin reserved, by the order. */
  readonly auto: boolean;
}

/** Fields of a report of a margin order beyond those of a spot order. */
export interface MarginReport extends MarginMark {
  /** The position an execution belongs to. */
  readonly positionId: number | undefined;
  /** Profit that an execution realized, fee not counted. */
  readonly pnl: Amount | undefined;
  readonly liquidation: boolean;
}

/** Source: v3-gaps, section 2.4; API v2, "Margin account report"; API v3, "AMR rules". */
export const marginReasons = [
  'status',
  'created',
  'updated',
  'marginChanged',
  'openTrade',
  'closeTrade',
  'flipTrade',
  'closed',
  'reopened',
  'liquidated',
  'interestTaken',
  'amrChanged',
] as const;
export type MarginReason = (typeof marginReasons)[number];
export type MarginReportType = 'status' | 'created' | 'updated' | 'closed';

/** A position as it was at one moment. */
export interface PositionView {
  readonly id: number;
  readonly instrument: InstrumentId;
  readonly mode: MarginMode;
  readonly leverage: Amount;
  /** In base currency (contracts for futures), negative for a short one. */
  readonly quantity: Amount;
  readonly pnl: Amount;
  readonly feeCumulative: Amount;
  /** The average price of what is open. */
  readonly entry: Amount;
  /** Undefined where no price leads there. */
  readonly marginCall: Ticks | undefined;
  readonly liquidation: Ticks | undefined;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
  readonly auto: boolean;
  readonly amr: boolean;
}

/** A margin account as it was at one moment. Source: API v3, "Margin account". */
export interface MarginAccountView {
  readonly mode: MarginMode;
  /** Undefined for cross margin. */
  readonly instrument: InstrumentId | undefined;
  readonly currency: string;
  readonly leverage: Amount | undefined;
  readonly balance: Amount;
  readonly reservedOrders: Amount;
  readonly reservedPositions: Amount;
  /** Equity at which a margin call is sent, and at which positions are liquidated. */
  readonly callMargin: Amount;
  readonly liquidationMargin: Amount;
  readonly positions: readonly PositionView[];
  readonly called: boolean;
  readonly auto: boolean;
  readonly amr: boolean;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** A margin account and whose orders it pays. */
export interface OpenMarginAccount {
  readonly product: MarginProductName;
  readonly account: MarginAccountView;
}

/** Which margin account: that of a symbol (isolated) or of a currency (cross), of margin trading or of contracts. */
export interface MarginAccountKey {
  readonly product: MarginProductName;
  readonly mode: MarginMode;
  /** There exactly when isolated. */
  readonly instrument: InstrumentId | undefined;
  /** Currency of the margin: the quote currency of the instrument when isolated. */
  readonly currency: string;
}

/** The account that a position of an instrument belongs to. */
export function marginKeyOf({ id, spec }: Instrument, mode: MarginMode): MarginAccountKey {
  return {
    product: spec.type === 'futures' ? 'futures' : 'margin',
    mode,
    instrument: mode === 'isolated' ? id : undefined,
    currency: spec.quoteCurrency,
  };
}

/** Whether a margin account pays for an order. */
export function isPaidBy(
  { product, mode, instrument: only, currency }: MarginAccountKey,
  { margin }: { readonly margin?: MarginMark | undefined },
  instrument: Instrument,
): boolean {
  if (margin?.mode !== mode || productOf(instrument, margin) !== product) return false;
  return mode === 'isolated' ? only === instrument.id : currency === instrument.spec.quoteCurrency;
}

/**
 * Names that were made: a text that is made anew for each look into a map is hashed anew. There are as many as symbols and
 * currencies have margin accounts.
 */
const names = {
  margin: { isolated: new Map<unknown, string>(), cross: new Map<unknown, string>() },
  futures: { isolated: new Map<unknown, string>(), cross: new Map<unknown, string>() },
} satisfies Record<MarginProductName, Record<MarginMode, Map<unknown, string>>>;

/** A text for each margin account: of isolated margin that of its symbol, of cross margin that of its currency. */
export function marginNameOf({ product, mode, instrument, currency }: MarginAccountKey): string {
  const whose = mode === 'isolated' ? instrument : currency;
  const made = names[product][mode];
  let name = made.get(whose);
  if (name === undefined) {
    name = `${product} ${mode} ${whose}`;
    made.set(whose, name);
  }
  return name;
}

/** Funding or interest taken of a holder of a position; below 0 it was paid to it. */
export interface Charge {
  readonly kind: 'funding' | 'interest';
  readonly instrument: InstrumentId;
  readonly account: MarginMode;
  readonly strategy: string;
  /** In the currency of the margin. */
  readonly amount: Amount;
  readonly time: Micros;
  /** No report told of it: looks at the account and public rates do. */
  readonly derived?: boolean | undefined;
}

/** A change of a margin account that our controls accepted and that nothing has settled yet. */
export interface PendingMarginChange {
  readonly commandId: number;
  readonly strategy: string;
  readonly change: MarginChange;
  /** When it was accepted, by our clock. */
  readonly since: Micros;
  /** When its silence was known: an account that was asked for after this shows what became of it. */
  readonly unansweredAt: Micros | undefined;
}

/**
 * Terms that a margin account is to get; what is `undefined` stays. Values are whole, not differences: sent twice, the second
 * changes nothing. Source: API v3, "PUT /api/3/margin/account"; v3-gaps, sections 2.5 (futures_set_leverage) and 8.
 */
export interface MarginChange extends MarginAccountKey {
  /** The margin balance; 0 closes the account. */
  readonly balance: Amount | undefined;
  /** Leverage, of isolated margin of contracts alone. */
  readonly leverage: Amount | undefined;
}

export function isSameAccount(one: MarginAccountKey, other: MarginAccountKey): boolean {
  return (
    one.product === other.product &&
    one.mode === other.mode &&
    one.instrument === other.instrument &&
    one.currency === other.currency
  );
}

/** Whether two changes ask for the same. */
export function isSameChange(one: MarginChange, other: MarginChange): boolean {
  return isSameAccount(one, other) && one.balance === other.balance && one.leverage === other.leverage;
}

/** Whether an account had ended when another of its name began: the venue gives each that it opens a time of its own. */
export function isOfBefore(
  one: Pick<MarginAccountView, 'createdAt' | 'updatedAt'>,
  { createdAt }: Pick<MarginAccountView, 'createdAt'>,
): boolean {
  return one.createdAt < createdAt && one.updatedAt <= createdAt;
}

/**
 * Whether a report says that its account is closed. The venue says `closed` of a position, too: the account stays open then, be it
 * empty, unless it is automatic and no order is left. `former`: the account as it was known before; a report of the same moment may
 * have shown it empty. `hasOrders`: orders that it pays for may be live; who knows of no orders takes it that there are none.
 */
export function isAccountClosed(
  {
    reportType,
    reason,
    account,
  }: {
    readonly reportType: MarginReportType;
    readonly reason: MarginReason;
    readonly account: MarginAccountView;
  },
  former: MarginAccountView | undefined,
  hasOrders = false,
): boolean {
  if (reportType !== 'closed' || !isEmpty(account)) return false;
  if (reason === 'liquidated') return false;
  if (account.auto) return !hasOrders;
  if (former === undefined) return true;
  const isOfOneMoment = former.updatedAt === account.updatedAt && isEmpty(former);
  return former.positions.length === 0 && !isOfOneMoment;
}

function isEmpty({ balance, positions }: MarginAccountView): boolean {
  return balance === zero && positions.length === 0;
}
