import type { Amount } from '../../base/amount.ts';
import { formatAmount, subtract, zero } from '../../base/amount.ts';
import type { Micros } from '../../base/clock.ts';
import { later, millis } from '../../base/clock.ts';
import type { MarginAccountChanged, OwnTrade } from '../../model/event.ts';
import type { Instrument, Lots } from '../../model/instrument.ts';
import type { MarginAccountKey, MarginAccountView, MarginMode, MarginReason } from '../../model/margin.ts';
import { marginKeyOf, marginModes, marginNameOf } from '../../model/margin.ts';
import type { MarginProductName } from '../../model/product.ts';
import { productOf } from '../../model/product.ts';
import type { StateView } from '../../state/index.ts';
import type { Cancels } from '../base/cancels.ts';
import type { Differences } from '../base/differences.ts';
import type { Memory } from '../base/memory.ts';
import type { Outbox } from '../base/outbox.ts';
import { middleOf } from '../base/profit.ts';
import type { Findings } from '../base/reads.ts';
import type { MarginChangeTracker } from './changes.ts';
import { isReduceOnly, venueLots } from './reducing.ts';

interface ComparisonDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly cancels: Cancels;
  readonly changes: MarginChangeTracker;
  readonly differences: Differences;
}

/**
 * Signed lots that the venue has more of a position than own trades came to, and since when: each number that a look showed since the
 * last one that showed none, the one that was shown last at the end.
 */
type Suspects = Map<number, Micros>;

/** A trade that falls into a look shows another number once; beyond, the one that was not shown for longest is forgotten. */
const suspectsMax = 8;

/** Reports that say that margin was put in or taken out. */
const moved: ReadonlySet<MarginReason> = new Set(['marginChanged', 'created', 'reopened', 'updated']);

/**
 * Compares margin accounts with what we did: their positions with the trades that were booked, their margin with the changes that
 * were asked for. What the venue shows and nothing of ours explains is a finding; a position that does not agree halts new orders
 * of its product.
 */
export class MarginComparison {
  readonly #parts: ComparisonDeps;
  /** Accounts as they were last seen, by name. */
  readonly #seen = new Map<string, MarginAccountView>();
  /** Accounts that traded since. */
  readonly #traded = new Set<string>();
  readonly #suspects = new Map<string, Suspects>();
  /** Whether nothing is known of before this run: positions of then are taken as they are. */
  #isFresh: boolean;

  constructor(parts: ComparisonDeps) {
    this.#parts = parts;
    this.#isFresh = parts.view.time === 0;
    for (const { product, account } of parts.view.marginAccounts())
      this.#seen.set(marginNameOf({ product, ...account }), account);
  }

  /** How many changes and positions are open to doubt: further looks settle them. */
  get unsettled(): number {
    return this.#parts.changes.unsettled + this.#suspects.size;
  }

  /** Own trades were booked. */
  booked(fills: readonly OwnTrade[]): void {
    for (const { instrument, marginMode } of fills) {
      if (marginMode === undefined) continue;
      this.#traded.add(marginNameOf(marginKeyOf(this.#parts.view.instruments.at(instrument), marginMode)));
    }
  }

  /** The venue reported an account. */
  reported(event: MarginAccountChanged): void {
    const { product, account, reason } = event;
    const key = { product, ...account };
    const name = marginNameOf(key);
    const before = this.#seen.get(name);
    const isExplained = this.#parts.changes.reported(event);
    const hasTraded = this.#traded.delete(name);
    this.#seen.set(name, account);
    // An execution is reported as an update of its orders, too.
    if (hasTraded && reason === 'updated') return;
    if (isExplained || isAutomatic(account) || (before !== undefined && isAutomatic(before))) return;
    const wasEmptied = account.balance === zero && before?.positions.length === 0;
    if (moved.has(reason) || (reason === 'closed' && wasEmptied)) this.#findChange(key, before, account);
  }

  /** A complete look was had. */
  settle(findings: Findings): void {
    this.#parts.changes.settle(findings);
    for (const product of findings.marginProducts) {
      const { view, differences } = this.#parts;
      const changed = view.differences.all.filter((row) => row.kind === 'margin' && row.product === product);
      this.#settleMargin(product);
      // A change from outside is taken over as it is: a read that shows no further one ends its row.
      for (const { key, reads } of changed)
        if (view.differences.find(key)?.reads === reads) differences.endRow(key, 'it is taken over as it is');
      this.#settlePositions(product, findings.begunAt);
    }
    this.#isFresh &&= findings.marginProducts.length === 0;
  }

  /** Margin of accounts that held nothing and did not trade moves only when somebody moves it. */
  #settleMargin(product: MarginProductName): void {
    for (const one of this.#parts.view.marginAccounts()) {
      if (one.product !== product) continue;
      const { account } = one;
      const key = { product, ...account };
      const name = marginNameOf(key);
      const before = this.#seen.get(name);
      this.#seen.set(name, account);
      const isQuiet =
        before?.positions.length === 0 && account.positions.length === 0 && !this.#traded.has(name);
      this.#traded.delete(name);
      if (!isQuiet || isAutomatic(account) || isAutomatic(before)) continue;
      if (!this.#parts.changes.explains(key, account)) this.#findChange(key, before, account);
    }
  }

  #findChange(key: MarginAccountKey, before: MarginAccountView | undefined, after: MarginAccountView): void {
    if (before?.balance === after.balance && before.leverage === after.leverage) return;
    const { view, outbox, differences } = this.#parts;
    const { product, mode, instrument, currency } = key;
    const whose = instrument === undefined ? currency : view.instruments.at(instrument).symbol;
    const why = `the ${mode} ${product} account of ${whose} was changed from ${shownAccount(before)} to ${shownAccount(after)}, which no change of ours explains`;
    differences.seen({
      key: `margin ${marginNameOf(key)}`,
      kind: 'margin',
      product,
      instrument,
      currency,
      amount: subtract(after.balance, before?.balance ?? zero),
      unit: currency,
      cause: why,
    });
    outbox.marginFound({
      finding: 'externalMargin',
      account: { product, mode, instrument, currency },
      position: undefined,
      lots: 0,
      price: undefined,
      halts: false,
      why,
    });
  }

  #settlePositions(product: MarginProductName, begunAt: Micros): void {
    const { view } = this.#parts;
    for (const instrument of view.instruments.all) {
      if (productOf(instrument, instrument) !== product) continue;
      for (const mode of marginModes) this.#settlePosition(instrument, mode, begunAt);
    }
  }

  /**
   * Trade history lags: only a difference that is the same after the venue's window of evidence is one, however much is traded
   * meanwhile, and whatever a look shows into which a trade falls. Positions of before the first run were not made by trades that are known.
   */
  #settlePosition(instrument: Instrument, mode: MarginMode, begunAt: Micros): void {
    const { view, memory } = this.#parts;
    const name = `${instrument.symbol} ${mode}`;
    const booked = view.netPosition(instrument.id, mode);
    const reported = venueLots(instrument, mode, view);
    const lots = reported - booked;
    if (lots === 0) {
      this.#suspects.delete(name);
      this.#parts.differences.endRow(positionKey(name), 'position and own trades agree');
      return;
    }
    if (this.#isFresh) {
      this.#findPosition(instrument, mode, false);
      return;
    }
    this.#seePosition(instrument, mode, { booked, reported });
    const since = this.#suspect(name, lots, begunAt);
    if (begunAt >= later(since, millis(memory.options.reconcile.absentMs))) {
      this.#suspects.delete(name);
      this.#findPosition(instrument, mode, true);
      this.#parts.differences.endRow(positionKey(name), 'what it differs by is booked to external');
    }
  }

  /** Returns since when the position has differed by so much. */
  #suspect(name: string, lots: number, now: Micros): Micros {
    const shown: Suspects = this.#suspects.get(name) ?? new Map<number, Micros>();
    const since = shown.get(lots) ?? now;
    shown.delete(lots);
    shown.set(lots, since);
    for (const oldest of shown.keys()) if (shown.size > suspectsMax) shown.delete(oldest);
    this.#suspects.set(name, shown);
    return since;
  }

  #seePosition(
    instrument: Instrument,
    mode: MarginMode,
    { booked, reported }: { readonly booked: number; readonly reported: number },
  ): void {
    const { product, currency } = marginKeyOf(instrument, mode);
    this.#parts.differences.seen({
      key: positionKey(`${instrument.symbol} ${mode}`),
      kind: 'position',
      product,
      instrument: instrument.id,
      currency,
      amount: instrument.quantityAmount((reported - booked) as Lots),
      unit: instrument.unit,
      cause: `the ${mode} ${product} position of ${instrument.symbol} is ${reported} lots at the venue, and ${booked} lots by own trades`,
    });
  }

  #findPosition(instrument: Instrument, mode: MarginMode, halts: boolean): void {
    const { view, outbox, cancels } = this.#parts;
    const account = marginKeyOf(instrument, mode);
    const booked = view.netPosition(instrument.id, mode);
    const reported = venueLots(instrument, mode, view);
    const lots = reported - booked;
    const text = `the ${mode} ${account.product} position of ${instrument.symbol} is ${reported} lots at the venue`;
    outbox.marginFound({
      finding: halts ? 'positionMismatch' : 'positionBefore',
      account,
      position: instrument.id,
      lots,
      price: this.#priceOf(instrument, mode, lots),
      halts,
      why: halts
        ? `${text}, and ${booked} lots by own trades`
        : `${text}: it was there before this journal began`,
    });
    if (!halts) return;
    cancels.requestThose(
      (order) =>
        productOf(view.instruments.at(order.instrument), order.margin) === account.product &&
        !isReduceOnly(order),
    );
  }

  /**
   * Price at which lots that the venue has more are booked. What closes own lots was traded at a price that nothing tells: it is booked
   * at the market, which leaves the profit as it stands, or without a book at what these lots cost, which realises nothing.
   */
  #priceOf(instrument: Instrument, mode: MarginMode, lots: number): Amount | undefined {
    const { view } = this.#parts;
    const entry = view.venuePosition(instrument.id, mode)?.entry;
    if (lots > 0 === view.netPosition(instrument.id, mode) >= 0) return entry;
    const own = view
      .positions()
      .find((one) => one.instrument === instrument.id && one.account === mode && one.quantity * lots < 0);
    return middleOf(view, instrument) ?? own?.averagePrice ?? entry;
  }
}

function positionKey(name: string): string {
  return `position ${name}`;
}

/** Whether the venue moves margin of an account by itself. */
function isAutomatic({ auto, amr }: Pick<MarginAccountView, 'auto' | 'amr'>): boolean {
  return auto || amr;
}

function shownAccount(account: MarginAccountView | undefined): string {
  if (account === undefined) return 'no account';
  const leverage: Amount | undefined = account.leverage;
  const at = leverage === undefined ? '' : ` at leverage ${formatAmount(leverage)}`;
  return `${formatAmount(account.balance)} ${account.currency}${at}`;
}
