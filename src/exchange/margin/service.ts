import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { AccountId, MarginOutcome, ReportOutcome } from '../matching/index.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { MarginReason, PositionView } from '../../core/model/margin.ts';
import type { Core } from '../base/index.ts';
import type { OrderService } from '../orders/index.ts';
import { Ring } from '../base/index.ts';
import { MarginProductService, futures, margin } from './product-service.ts';
import { MarginNotices } from './notices.ts';
import type { ShownMarginRule } from './rules.ts';

/** One change of a position, as the history keeps it. */
export interface PositionRow {
  readonly number: number;
  readonly reason: MarginReason;
  readonly position: PositionView;
  /** The exchange closed it: by a liquidation, or by the settlement of its contract. */
  readonly cleared: boolean;
}

interface MarginServiceDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly currencies: ReadonlySet<string>;
  readonly rules: ReadonlyMap<InstrumentId, ShownMarginRule>;
}

const rowsMax = 10_000;
const executionReasons: ReadonlySet<MarginReason> = new Set([
  'openTrade',
  'closeTrade',
  'flipTrade',
  'closed',
  'liquidated',
]);

/** Margin and futures trading of the exchange: both ways in, notices, and the history of positions. */
export class MarginService {
  readonly margin: MarginProductService;
  readonly futures: MarginProductService;
  readonly notices = new MarginNotices();
  /** Rules of every instrument that is traded on margin. */
  readonly rules: MarginServiceDeps['rules'];
  readonly #histories = new Map<AccountId, Ring<PositionRow>>();
  readonly #open = new Map<AccountId, Map<number, PositionView>>();
  /** Sums of the executions of an open position, by its number. */
  readonly #sums = new Map<number, { pnl: Amount; fees: Amount }>();
  #number = 1;
  readonly #core: Core;

  constructor(setup: MarginServiceDeps) {
    const { core } = setup;
    this.#core = core;
    this.rules = setup.rules;
    this.margin = new MarginProductService(margin, setup);
    this.futures = new MarginProductService(futures, setup);
    core.listen(this.notices);
    core.listen({
      onReport: (report) => this.#count(report),
      onBalance: () => {},
      onSettled: () => {},
      onMargin: (outcome) => this.#remember(outcome),
    });
  }

  /** Positions of a product account as they were after each execution, oldest first. */
  history(owner: AccountId): Ring<PositionRow> {
    let history = this.#histories.get(owner);
    if (history === undefined) this.#histories.set(owner, (history = new Ring(rowsMax)));
    return history;
  }

  #count({ margin, fill }: ReportOutcome): void {
    if (fill === undefined || margin?.positionId === undefined) return;
    const sums = this.#sums.get(margin.positionId) ?? { pnl: zero, fees: zero };
    sums.pnl = add(sums.pnl, margin.pnl ?? zero);
    sums.fees = add(sums.fees, fill.fee);
    this.#sums.set(margin.positionId, sums);
  }

  /** A position at its end: what it has realized and cost, and no prices at which anything would happen. */
  #ended(known: PositionView, updatedAt: Micros): PositionView {
    const sums = this.#sums.get(known.id) ?? { pnl: zero, fees: known.feeCumulative };
    this.#sums.delete(known.id);
    const gone = { quantity: zero, marginCall: undefined, liquidation: undefined };
    return { ...known, ...gone, pnl: sums.pnl, feeCumulative: sums.fees, updatedAt };
  }

  /** A row per position that was opened, changed or closed by an execution. */
  #remember({ account, reason, view }: MarginOutcome): void {
    if (!executionReasons.has(reason)) return;
    let open = this.#open.get(account);
    if (open === undefined) this.#open.set(account, (open = new Map()));
    const history = this.history(account);
    const isOf = (position: PositionView) =>
      view.mode === position.mode && (view.mode === 'cross' || view.instrument === position.instrument);
    for (const [id, known] of open) {
      if (!isOf(known) || view.positions.some((position) => position.id === id)) continue;
      open.delete(id);
      const position = this.#ended(known, view.updatedAt);
      // Only a settlement closes positions of a contract that is out of trading.
      const isSettled = this.#core.exchange.status(known.instrument) === 'expired';
      const cleared = reason === 'liquidated' || isSettled;
      history.push({ number: this.#number++, reason, position, cleared });
    }
    for (const position of view.positions) {
      const known = open.get(position.id);
      open.set(position.id, position);
      if (known?.quantity === position.quantity) continue;
      history.push({ number: this.#number++, reason, position, cleared: reason === 'liquidated' });
    }
  }
}
