import { formatAmount, subtract } from '../base/amount.ts';
import type { Clock } from '../base/clock.ts';
import { later, millis, seconds } from '../base/clock.ts';
import type { CorrectionCause, DifferenceKind, OpenExecution } from '../model/difference.ts';
import { executionKey } from '../model/difference.ts';
import type { OwnTrade } from '../model/event.ts';
import type { Instrument, Lots } from '../model/instrument.ts';
import { fillText } from '../model/order-text.ts';
import type { ClientOrderId, Order } from '../model/order.ts';
import { productOf } from '../model/product.ts';
import type { StateView } from '../state/index.ts';
import { BalanceWitness } from './balance-witness.ts';
import type { Differences } from './base/differences.ts';
import type { LossWatch } from './loss-watch.ts';
import { venueLots } from './margin/index.ts';
import type { Memory } from './base/memory.ts';
import type { Outbox } from './base/outbox.ts';
import type { Findings } from './base/reads.ts';
import type { OrderReservations } from './reservation-keeper.ts';

/** Complete reads in a row that confirm a difference. */
const readsNeeded = 2;
/** Histories lag behind reports: a read that left sooner after a report says nothing of it. */
const usualLag = seconds(5);
/** So long after it was withdrawn, each read reaches back to an execution: the history may show it late. */
const lateFor = seconds(3_600);

interface ExecutionDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly differences: Differences;
  readonly orderReservations: OrderReservations;
  readonly losses: LossWatch;
}

/**
 * Compares executions that reports brought with the trade history. One that two complete reads do not show, the second 90 s after its
 * report (`orders.reconcile.absentMs`), and that neither its order nor a position at the venue has, never was: it is withdrawn. One that
 * the history tells with other terms takes these after two reads. What the history has and no report brought is booked by the state.
 */
export class ExecutionComparison {
  readonly #parts: ExecutionDeps;
  readonly #balances: BalanceWitness;
  /** Executions that were withdrawn, by key, as they were when last looked at. */
  #withdrawn: ReadonlyMap<string, OpenExecution> = new Map();

  constructor(parts: ExecutionDeps) {
    this.#parts = parts;
    this.#balances = new BalanceWitness(parts.view);
    this.#withdrawn = keyed(parts.view.withdrawnExecutions);
  }

  /** Whether rows are open that further reads settle. */
  get unsettled(): boolean {
    return rowKinds.some((kind) => this.#parts.differences.has(kind));
  }

  /** When a read may act on the first of them, by wall time. */
  get actsAt(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { actsAt } of this.#parts.view.differences.all)
      if (actsAt !== undefined) first = Math.min(first, actsAt);
    return first;
  }

  /** From when on trades are to be read, so that what is open is covered, by wall time. */
  get since(): number {
    const { view, clock } = this.#parts;
    let since = Number.POSITIVE_INFINITY;
    for (const one of view.openExecutions) since = Math.min(since, one.since, one.trade.time);
    const now = clock.now();
    for (const { trade, since: at } of view.withdrawnExecutions)
      if (now - at < lateFor) since = Math.min(since, trade.time);
    return since;
  }

  /** Orders whose histories are evidence: those of executions that a look may withdraw, or that their orders have spoken for. */
  get orders(): readonly ClientOrderId[] {
    const { view, clock } = this.#parts;
    const now = clock.now();
    const ids = new Set<ClientOrderId>();
    for (const { kind, clientOrderId, actsAt = now } of view.differences.all)
      if (kind === 'execution' && clientOrderId !== undefined && actsAt <= now) ids.add(clientOrderId);
    return [...ids];
  }

  /** Executions were booked. */
  booked(): void {
    this.#balances.booked();
  }

  /** A complete look was had. */
  settle(findings: Findings): void {
    const { view, differences } = this.#parts;
    this.#tellLate();
    if (view.openExecutions.length > 0) {
      const rows = rowsOf(findings.trades, view);
      for (const open of view.openExecutions)
        this.#settleOne(open, rows.get(executionKey(open.trade)), findings);
    }
    const open = keyed(view.openExecutions);
    for (const kind of ['execution', 'terms'] as const)
      differences.endOthers(
        kind,
        ({ key }) => open.has(key),
        'the trade history shows the execution as it was booked',
      );
    this.#settleUnseen();
    this.#balances.settle(findings);
    this.#withdrawn = keyed(view.withdrawnExecutions);
  }

  #settleOne(open: OpenExecution, row: OwnTrade | undefined, findings: Findings): void {
    const { view } = this.#parts;
    const { trade, since } = open;
    const instrument = view.instruments.at(trade.instrument);
    if (!findings.tradeProducts.has(productOf(instrument, marginOf(trade)))) return;
    if (row !== undefined) this.#otherTerms(open, row, instrument);
    else if (later(since, usualLag) < findings.tradesAskedAt) this.#absent(open, instrument, findings);
  }

  /** The history tells an execution otherwise than its report. */
  #otherTerms(open: OpenExecution, row: OwnTrade, instrument: Instrument): void {
    const { trade, strategy, since } = open;
    const { differences, outbox } = this.#parts;
    const key = executionKey(trade);
    const sameSize = trade.price === row.price && trade.quantity === row.quantity;
    const cause: CorrectionCause = sameSize ? 'fee' : 'terms';
    const told = sameSize
      ? `a fee of ${formatAmount(trade.fee)} ${instrument.spec.feeCurrency}`
      : fillText(trade, instrument);
    const shown = sameSize ? formatAmount(row.fee) : fillText(row, instrument);
    const what = `the report of trade ${trade.tradeId} of order ${trade.clientOrderId} (${instrument.symbol}) told ${told}, the trade history tells ${shown}`;
    const reads = differences.seen({
      key,
      kind: 'terms',
      ...subjectOf(trade, strategy, instrument),
      cause: what,
      ...(sameSize && { amount: subtract(row.fee, trade.fee), unit: instrument.spec.feeCurrency }),
      since,
    });
    if (reads < readsNeeded) return;
    differences.endRow(key, 'the terms of the history are taken over');
    const holds = { ...row, ...(trade.marginMode !== undefined && { marginMode: trade.marginMode }) };
    outbox.executionCorrected({ cause, strategy, trade, holds, why: `${what}: that is taken over` });
    this.#corrected(open, cause);
  }

  /** The history does not show an execution. */
  #absent(open: OpenExecution, instrument: Instrument, findings: Findings): void {
    const { differences, outbox, clock, memory } = this.#parts;
    const { trade, strategy, since } = open;
    const key = executionKey(trade);
    const actsAt = later(since, millis(memory.options.reconcile.absentMs));
    const witness = this.#witnessOf(open, instrument, findings);
    const what = `trade ${trade.tradeId} of order ${trade.clientOrderId} (${instrument.symbol} ${trade.side}, ${fillText(trade, instrument)}) was reported, and the trade history does not show it`;
    const reads = differences.seen({
      key,
      kind: 'execution',
      ...subjectOf(trade, strategy, instrument),
      cause: witness === undefined ? what : `${what}, but ${witness}`,
      amount: instrument.quantityAmount((trade.side === 'buy' ? -trade.quantity : trade.quantity) as Lots),
      unit: instrument.unit,
      since,
      ...(witness === undefined && { actsAt }),
    });
    const isRead = findings.histories.has(trade.clientOrderId) || findings.active.has(trade.clientOrderId);
    if (witness !== undefined || !isRead || reads < readsNeeded || clock.now() < actsAt) return;
    const why = `${what} in ${reads} complete reads: it is withdrawn`;
    differences.endRow(key, why);
    outbox.executionCorrected({ cause: 'withdrawn', strategy, trade, holds: undefined, why });
    this.#corrected(open, 'withdrawn');
  }

  /** Other evidence of the execution at the venue, in words; `undefined` where nothing does. */
  #witnessOf(open: OpenExecution, instrument: Instrument, findings: Findings): string | undefined {
    const { view } = this.#parts;
    const { trade, account } = open;
    const order = view.order(trade.clientOrderId);
    const listed = findings.orders.get(trade.clientOrderId);
    if (listed !== undefined && listed.cumulative > 0 && listed.cumulative >= (order?.cumulative ?? 0))
      return 'its order has executed as much at the venue';
    if (account === 'spot')
      return this.#balances.has(instrument, findings)
        ? `the balance of ${instrument.spec.baseCurrency} has it`
        : undefined;
    const held = view.netPosition(instrument.id, account);
    return held !== 0 && venueLots(instrument, account, view) === held
      ? 'the position at the venue has it'
      : undefined;
  }

  #corrected(open: OpenExecution, cause: CorrectionCause): void {
    const { orderReservations, losses } = this.#parts;
    losses.corrected(open, cause);
    orderReservations.refresh(open.trade.clientOrderId);
    losses.filled();
  }

  /** Executions that were withdrawn and that a later row of the history has booked again. */
  #tellLate(): void {
    const { view, outbox } = this.#parts;
    if (this.#withdrawn.size === 0) return;
    const still = keyed(view.withdrawnExecutions);
    for (const [key, { trade, strategy }] of this.#withdrawn) {
      if (still.has(key)) continue;
      outbox.noteText(
        strategy,
        'warn',
        `trade ${trade.tradeId} of order ${trade.clientOrderId} was withdrawn, and the venue shows it now: it is booked again`,
      );
    }
  }

  /** Orders that executed more than the trades that are known. */
  #settleUnseen(): void {
    const { view, differences } = this.#parts;
    const missing = new Map(view.missingFills().map((order) => [unseenKey(order), order]));
    differences.endOthers(
      'unseenExecution',
      ({ key }) => missing.has(key),
      'the trade history shows the execution',
    );
    for (const [key, order] of missing) {
      const instrument = view.instruments.at(order.instrument);
      differences.seen({
        key,
        kind: 'unseenExecution',
        product: productOf(instrument, order.margin),
        instrument: order.instrument,
        strategy: order.strategy,
        clientOrderId: order.clientOrderId,
        cause: `order ${order.clientOrderId} (${instrument.symbol}) has executed ${instrument.quantityText(order.cumulative)} at the venue, and the trades of some of it are in no report and no history`,
      });
    }
  }
}

const rowKinds: readonly DifferenceKind[] = ['execution', 'terms', 'unseenExecution'];

function unseenKey({ clientOrderId }: Order): string {
  return `unseen ${clientOrderId}`;
}

function keyed(executions: readonly OpenExecution[]): ReadonlyMap<string, OpenExecution> {
  return new Map(executions.map((one) => [executionKey(one.trade), one]));
}

/** Rows of the history of what is open. */
function rowsOf(rows: readonly OwnTrade[], view: StateView): ReadonlyMap<string, OwnTrade> {
  const open = new Set(view.openExecutions.map(({ trade }) => executionKey(trade)));
  const found = new Map<string, OwnTrade>();
  for (const row of rows) {
    const key = executionKey(row);
    if (open.has(key)) found.set(key, row);
  }
  return found;
}

function marginOf({ marginMode }: OwnTrade): object | undefined {
  return marginMode === undefined ? undefined : { mode: marginMode };
}

function subjectOf(
  trade: OwnTrade,
  strategy: string,
  instrument: Instrument,
): Pick<Parameters<Differences['seen']>[0], 'product' | 'instrument' | 'strategy' | 'clientOrderId'> {
  const { clientOrderId } = trade;
  return {
    product: productOf(instrument, marginOf(trade)),
    instrument: instrument.id,
    strategy,
    clientOrderId,
  };
}
