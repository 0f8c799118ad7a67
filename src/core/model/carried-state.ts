import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { OwnTrade } from './account-event.ts';
import type { Difference, OpenExecution, WalletName } from './difference.ts';
import type { InstrumentId, InstrumentStatus } from './instrument.ts';
import type { ChangeMarginIntent, Intent } from './intent.ts';
import type { Closing, LossLatch, LossScope, ProfitCourse, ProfitMark } from './loss.ts';
import type { MarginAccountView, MarginMode, PendingMarginChange, PositionAccount } from './margin.ts';
import type { Balance } from './market.ts';
import type { ClientOrderId, Order } from './order.ts';
import type { MarginProductName } from './product.ts';
import type { ChangedParams } from './operator.ts';
import type { TradingMode } from './trading-mode.ts';

/** Result of folding earlier events: all that later events may build on, market data left out. */
export interface CarriedState {
  readonly orders: CarriedOrders;
  readonly fills: CarriedFills;
  readonly positions: readonly CarriedPosition[];
  /** Positions of margin accounts that several strategies share, as the venue nets them; none when left out. */
  readonly netted?: readonly CarriedPosition[] | undefined;
  readonly balances: readonly CarriedBalance[];
  readonly mode: CarriedMode;
  readonly sessions: CarriedSessions;
  /** There when margin accounts were seen or asked for. */
  readonly margin?: CarriedMargin | undefined;
  /** Balances of the wallet of contracts; there when it was reported. */
  readonly futuresBalances?: readonly CarriedBalance[] | undefined;
  /** Not there in what was carried before there were limits on loss. */
  readonly losses?: CarriedLosses | undefined;
  /** Peak and largest fall of the profit by quote currency; none when left out. */
  readonly courses?: readonly ProfitCourse[] | undefined;
  /** Differences that are open; none when left out. */
  readonly differences?: readonly Difference[] | undefined;
  /** Executions that no history has confirmed, and those that were withdrawn; left out where the run keeps none (a backtest). */
  readonly executions?: CarriedExecutions | undefined;
  /** Transfers and unexplained money by wallet; none when left out. */
  readonly moved?: readonly CarriedMove[] | undefined;
  /** There when complete looks at the account were had; not there in what was carried before wallets were compared. */
  readonly wallets?: CarriedWallets | undefined;
  /** Runs of the journal, the last one at the end, by the part of order ids that names them; not there in what was carried before. */
  readonly runs?: readonly string[] | undefined;
}

export interface CarriedExecutions {
  readonly open: readonly OpenExecution[];
  readonly withdrawn: readonly OpenExecution[];
  /** How many bookings of positions there were: they are numbered; not there in what was carried before. */
  readonly bookings?: number | undefined;
}

/** Sum of what moved without a trade or a charge. */
export interface CarriedMove {
  readonly wallet: WalletName;
  readonly currency: string;
  readonly transfers: Amount;
  readonly unexplained: Amount;
}

export interface CarriedOrders {
  /** Orders that may be live, in order of creation. */
  readonly live: readonly CarriedOrder[];
  /** Ended orders, the longest ended first; `undefined` where one has been taken out since. */
  readonly closed: readonly (CarriedOrder | undefined)[];
  /** Orders proven absent, the oldest first. */
  readonly buried: readonly CarriedOrder[];
  /** Intents that have no verdict yet. */
  readonly unjudged: readonly Intent[];
}

export interface CarriedOrder {
  readonly order: Order;
  /** Lots of fills booked under its id. */
  readonly booked: number;
  /** Lots executed before its id carried them. */
  readonly inherited: number;
  /** Whether the venue has reported it. */
  readonly told: boolean;
  /** The order it shall replace, and the order that replaces it, where these are carried too. */
  readonly replaces: ClientOrderId | undefined;
  readonly replacement: ClientOrderId | undefined;
  /** End of it by the venue, where executions that it may not have had made it filled. */
  readonly endsAs?: 'canceled' | 'expired' | undefined;
  /** When it ended, 0 while it lives. */
  readonly endedAt: Micros;
}

/** Fills that were booked, oldest first: keys and times in step. */
export interface CarriedFills {
  readonly keys: readonly string[];
  readonly times: readonly Micros[];
  /** Fills up to here may have been forgotten; -1 when none has. */
  readonly horizon: Micros;
}

/** Holding of a strategy in one instrument. Fields as in `Position`. */
export interface CarriedPosition {
  readonly instrument: InstrumentId;
  readonly strategy: string;
  readonly quantity: number;
  /** To the last digit, where fees are taken in base currency; left out elsewhere, and in what was carried before they were taken off. */
  readonly held?: Amount | undefined;
  readonly cash: Amount;
  readonly fees: Amount;
  readonly fillCount: number;
  readonly turnover: Amount;
  readonly realized: Amount;
  /** Cost of the open lots (long), or what they brought (short); never negative. */
  readonly openCost: Amount;
  /** Result of the trades since it was last flat, fees counted; 0 when left out. */
  readonly result?: Amount | undefined;
  /** Where it is kept; spot when left out. */
  readonly account?: PositionAccount | undefined;
  /** Funding and interest; 0 when left out. */
  readonly charges?: Amount | undefined;
  /** Bookings that may still be corrected, and what was before them; left out where all are final. */
  readonly tail?: CarriedTail | undefined;
}

/** Bookings since the first execution that no history has confirmed yet, oldest first. */
export interface CarriedTail {
  readonly base: CarriedPosition;
  readonly bookings: readonly CarriedBooking[];
}

/** One booking of a position. */
export type CarriedBooking =
  | {
      readonly kind: 'fill';
      readonly fill: Pick<OwnTrade, 'price' | 'quantity' | 'fee' | 'side'>;
      /** Key of the execution while it may be corrected. */
      readonly open: string | undefined;
      /** Number of the booking in the ledger; not there in what was carried before they were counted. */
      readonly order?: number | undefined;
    }
  | {
      readonly kind: 'adopt';
      readonly lots: number;
      readonly price: Amount;
      readonly order?: number | undefined;
    }
  | { readonly kind: 'charge'; readonly amount: Amount }
  | { readonly kind: 'forgive'; readonly amount: Amount };

export interface CarriedMargin {
  readonly accounts: readonly CarriedMarginAccount[];
  readonly changes: readonly PendingMarginChange[];
  /** Changes that were asked for and have no verdict yet. */
  readonly unjudged: readonly ChangeMarginIntent[];
  /** Accounts of the positions that were seen; none when left out. */
  readonly modes?: readonly { readonly position: number; readonly mode: MarginMode }[] | undefined;
  /** Money that accounts held last, and their fills since; not there in what was carried before, which begins with the accounts as known. */
  readonly rests?: readonly CarriedRest[] | undefined;
  /** Endings of accounts before those of the same name, as long as what ended them may come; none when left out. */
  readonly former?: readonly CarriedRest[] | undefined;
  /** Last liquidation of each account that left a loss to the venue; none when left out. */
  readonly liquidated?: readonly CarriedLiquidation[] | undefined;
}

/** Money of a margin account when it was last seen with something in it, and its fills since. */
export interface CarriedRest {
  /** Name of the account. */
  readonly name: string;
  readonly balance: Amount;
  /** Time of the balance at the venue. */
  readonly at: Micros;
  /** Time at which the venue opened the account; not there in what was carried before it was kept. */
  readonly createdAt?: Micros | undefined;
  readonly positions: readonly { readonly instrument: InstrumentId; readonly size: Amount }[];
  readonly fills: readonly CarriedRestFill[];
  readonly misplaced: Amount;
  readonly isEmpty: boolean;
}

/** Execution in a margin account: its size in base currency, signed, and the profit that it realised, less its fee. */
export interface CarriedRestFill {
  readonly strategy: string;
  readonly account: PositionAccount;
  readonly instrument: InstrumentId;
  readonly time: Micros;
  readonly size: Amount;
  readonly result: Amount;
}

/** Loss that a venue took over, and the fills that made it. */
export interface CarriedLiquidation {
  readonly name: string;
  readonly losses: readonly CarriedRestFill[];
  readonly owed: Amount;
}

/** A margin account as it was last known. */
export interface CarriedMarginAccount {
  readonly product: MarginProductName;
  readonly account: MarginAccountView;
  /** False once it was closed. */
  readonly open: boolean;
  /** Wall time at which it was so at the earliest. */
  readonly since: Micros;
  /**
   * As it was before the reads and the answers to changes that showed it since the last report, the oldest first. One alone stands in what
   * was carried before all were kept.
   */
  readonly earlier?: readonly MarginAccountView[] | MarginAccountView | undefined;
  /** Stamp of the last report of a charge: several positions of an account are charged at one time, each with a report of its own. */
  readonly chargedAt?: Micros | undefined;
}

/** States of an account that no report has followed yet, the oldest first. */
export function statesBefore({ earlier = [] }: CarriedMarginAccount): readonly MarginAccountView[] {
  return 'balance' in earlier ? [earlier] : earlier;
}

export interface CarriedBalance {
  readonly balance: Balance;
  /** Wall time at which it was true at the earliest. */
  readonly since: Micros;
}

export interface CarriedMode {
  readonly mode: TradingMode;
  readonly why: string;
  readonly latched: boolean;
  /** Since when, where it is not active; not there in what was carried before it was kept, as of the rows below. */
  readonly since?: Micros | undefined;
  /** Strategies that were stopped in this run, each with the first reason. */
  readonly stopped: readonly (CarriedHold & { readonly strategy: string })[];
  /** Strategies that an operator paused, or all; not there when none is. */
  readonly paused?: readonly (CarriedHold & { readonly strategy: string | undefined })[] | undefined;
  /** Strategies that an operator stopped; not there when none is. */
  readonly off?: readonly (CarriedHold & { readonly strategy: string })[] | undefined;
  /** Strategies whose parameters an operator changed; not there when none has any. */
  readonly params?: readonly (ChangedParams & { readonly strategy: string })[] | undefined;
  /** Products whose new orders are denied until an operator clears it; none when left out. */
  readonly halted?: readonly (CarriedHold & { readonly product: MarginProductName })[] | undefined;
}

export interface CarriedHold {
  readonly why: string;
  readonly since?: Micros | undefined;
}

export interface CarriedSessions {
  readonly market: boolean;
  readonly trading: boolean;
  /** How far the venue's clock is ahead of ours; not there in what was carried before it was kept. */
  readonly clockOffset?: Micros | undefined;
  /** Status of every instrument, by its number. */
  readonly status: readonly InstrumentStatus[];
}

export interface CarriedLosses {
  readonly marks: readonly ProfitMark[];
  readonly latches: readonly LossLatch[];
  /** Trades in a row that lost, before those of `closings`. */
  readonly losing: readonly (LossScope & { readonly trades: number })[];
  /** Trades that a correction may still change, by number; none when left out. */
  readonly closings?: readonly Closing[] | undefined;
  /** Trades up to this number were forgiven: they count no more; none when left out. */
  readonly forgiven?: readonly (LossScope & { readonly order: number })[] | undefined;
}

/** Wallets as complete looks showed them, and what was booked since. */
export interface CarriedWallets {
  readonly rows: readonly CarriedWallet[];
  /** End of the charges that are booked, by margin account. */
  readonly charged: readonly { readonly account: string; readonly until: Micros }[];
  readonly last: Partial<Record<'spot' | 'futures', Pick<SeenWallet, 'from' | 'until' | 'of' | 'order'>>>;
  /** Number of the last move. */
  readonly order: number;
}

/** One currency of a wallet, its margin accounts counted in. */
export interface CarriedWallet {
  readonly wallet: 'spot' | 'futures';
  readonly currency: string;
  /** The last look that agreed with what was booked. */
  readonly anchor: SeenWallet | undefined;
  /** The same, of which the next look shows whether something moved during it. */
  readonly next: SeenWallet | undefined;
  /** Up to when what was booked is in the first look there was; not there in what was carried before. */
  readonly first?: Micros | undefined;
  /** Entries of the time up to then may be in the anchor already: something moved during that first look. */
  readonly unsure?: Micros | undefined;
  /** Difference that later looks show beyond what was booked. */
  readonly difference:
    | {
        /** Signed: below 0 there is less than expected. */
        readonly amount: Amount;
        /** Total that there is. */
        readonly total: Amount;
        /** The last look without it. */
        readonly from: Micros;
        /** The first look that showed it, and the last one. */
        readonly since: Micros;
        readonly seenAt: Micros;
        /** End of the first look that showed it; not there in what was carried before. */
        readonly shownBy?: Micros | undefined;
        readonly looks: number;
        /** Change of each margin account that was not booked; where these are not all of it, the rest is the wallet's own. */
        readonly accounts: SeenWallet['accounts'];
      }
    | undefined;
  /** Entries that were booked since, in order. */
  readonly moves: readonly {
    /** Its number, in the order of what was heard. */
    readonly order: number;
    readonly amount: Amount;
    readonly time: Micros;
    readonly lots: number;
    readonly isCharge: boolean;
    readonly isAdopted?: true;
    readonly instrument?: InstrumentId | undefined;
    readonly mode?: MarginMode | undefined;
  }[];
}

/** A currency of a wallet as a look showed it; times by the venue's clock. */
export interface SeenWallet {
  /** Total of the wallet and its margin accounts. */
  readonly total: Amount;
  readonly accounts: readonly { readonly name: string; readonly balance: Amount }[];
  /** When the first of its reads left, and when the last answer came. */
  readonly from: Micros;
  readonly until: Micros;
  /** Products whose margin accounts were read. */
  readonly of: string;
  /** Number of the last move that it has in it. */
  readonly order: number;
  /** Whether there was nothing before to compare it with. */
  readonly isFirst: boolean;
}
