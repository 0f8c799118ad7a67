import type { Amount } from '../../../core/base/amount.ts';
import { add, zero } from '../../../core/base/amount.ts';
import type { CorrectionEntry, FillEntry } from '../../../core/ledger/index.ts';
import { externalStrategy, hasSameTerms } from '../../../core/ledger/index.ts';
import { isLiquidation } from '../../../core/model/liquidation.ts';
import { executionKey } from '../../../core/model/difference.ts';
import type { OwnTrade, ReadAnswered } from '../../../core/model/event.ts';
import type { Instrument, InstrumentId, Lots } from '../../../core/model/instrument.ts';
import type { PositionAccount } from '../../../core/model/margin.ts';
import { EquityCurve } from './equity-curve.ts';
import { SessionHolding } from './session-holding.ts';

/** As many as the ledger keeps open. */
const openMax = 10_000;

/** Sums over the accounts of one instrument. */
export interface HeldTotals {
  /** Signed lots. */
  readonly position: number;
  /** Signed, exact. */
  readonly held: Amount;
  readonly fills: number;
  readonly funding: Amount;
}

/** Where an execution is booked, and its key where it may be corrected. */
interface Booked {
  readonly holding: SessionHolding;
  readonly open: string | undefined;
}

/** Holdings of a session by instrument and account, and a timeline of equity for each currency they are quoted in. */
export class SessionHoldings {
  readonly #all: SessionHolding[] = [];
  readonly #byAccount: Readonly<Record<PositionAccount, (SessionHolding | undefined)[]>> = {
    spot: [],
    isolated: [],
    cross: [],
  };
  /** By quote currency, in order of the first holding. */
  readonly curves = new Map<string, EquityCurve>();

  /** Executions that no trade history has shown yet. */
  readonly #open = new Map<string, { readonly trade: OwnTrade; readonly holding: SessionHolding }>();

  /** Books an execution; one that no history has shown yet may be corrected, and has a key. */
  book({ trade, account, open }: FillEntry, instrument: Instrument): Booked {
    const holding = this.of(instrument, account);
    if (open !== true || this.#open.size >= openMax) {
      holding.book(trade, trade.side);
      return { holding, open: undefined };
    }
    const key = executionKey(trade);
    this.#open.set(key, { trade, holding });
    holding.book(trade, trade.side, key);
    return { holding, open: key };
  }

  /** Rows of the trade history make open executions of the same terms final. Returns their keys. */
  confirm({ what, fills: rows }: ReadAnswered): readonly string[] {
    if (this.#open.size === 0 || what.of !== 'tradeHistory') return [];
    const final: string[] = [];
    for (const row of rows) {
      const key = executionKey(row);
      const open = this.#open.get(key);
      if (open === undefined || !hasSameTerms(open.trade, row)) continue;
      this.#open.delete(key);
      open.holding.confirm(key);
      final.push(key);
    }
    return final;
  }

  /** Takes a correction. Returns how many lots more were executed; below 0 where it was fewer. */
  correct({ trade, holds, account }: CorrectionEntry): Lots {
    const key = executionKey(trade);
    const { holding } = this.#open.get(key) ?? { holding: this.find(trade.instrument, account) };
    this.#open.delete(key);
    holding?.correct(trade, holds);
    holding?.confirm(key);
    return ((holds?.quantity ?? 0) - trade.quantity) as Lots;
  }

  /** In order of their beginning. */
  all(): readonly SessionHolding[] {
    return this.#all;
  }

  find(instrument: InstrumentId, account: PositionAccount): SessionHolding | undefined {
    return this.#byAccount[account][instrument];
  }

  /** Signed lots of an instrument, over its accounts. */
  position(instrument: InstrumentId): number {
    let sum = 0;
    for (const holding of this.#all) if (holding.instrument.id === instrument) sum += holding.quantity;
    return sum;
  }

  held(instrument: InstrumentId): HeldTotals {
    let amount: Amount = zero;
    let fills = 0;
    let funding: Amount = zero;
    for (const holding of this.#all) {
      if (holding.instrument.id !== instrument) continue;
      const { held, fillCount, charges } = holding.position;
      amount = add(amount, held);
      fills += fillCount;
      funding = add(funding, charges);
    }
    return { position: this.position(instrument), held: amount, fills, funding };
  }

  /** Begun when first asked for. */
  of(instrument: Instrument, account: PositionAccount): SessionHolding {
    const holdings = this.#byAccount[account];
    const known = holdings[instrument.id];
    if (known !== undefined) return known;
    const holding = new SessionHolding(instrument, account);
    holdings[instrument.id] = holding;
    this.#all.push(holding);
    const { quoteCurrency } = instrument.spec;
    if (!this.curves.has(quoteCurrency)) this.curves.set(quoteCurrency, new EquityCurve());
    return holding;
  }
}

/** Whether what executed was of ours, or closed a position of ours that its margin no longer bore. */
export function isOwn({ strategy, trade }: Pick<FillEntry, 'strategy' | 'trade'>): boolean {
  return strategy !== externalStrategy || isLiquidation(trade.clientOrderId);
}
