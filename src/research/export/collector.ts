import { join } from 'node:path';
import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, negate, parseAmount, subtract } from '../../core/base/amount.ts';
import { ProfitPeak } from '../../core/ledger/index.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, Instruments, Lots } from '../../core/model/instrument.ts';
import type { RowCharge, RowFill, RowHolding, RunRows, Summary, BookedTrip } from '../report/index.ts';
import type { ExactTrip } from '../statistics/index.ts';
import type { ExportCell, ExportTable, RunRow } from './columns.ts';
import { exportTables } from './columns.ts';
import { OrderRows } from './order-rows.ts';
import { RowSpool, writeTable } from './table-files.ts';

const names = Object.keys(exportTables) as readonly ExportTable[];

/** What an export knows of a run when it has ended. */
export interface ExportedRun {
  readonly summary: Summary;
  /** Whether what the account began with was only assumed: equity is left empty then. */
  readonly isStartAssumed: boolean;
}

/**
 * Everything a run makes, as tables in a directory: fills, orders, round trips, charges, every sample of equity and of positions. Rows
 * are spooled beside the files until the run has ended; nothing of it grows in memory.
 */
export class RunExport implements RunRows {
  readonly directory: string;
  readonly #spools: Readonly<Record<ExportTable, RowSpool>>;
  readonly #orders: OrderRows;
  /** The rows of the latest sample, until one of another time comes. */
  #sample:
    | {
        readonly time: number;
        readonly profits: readonly unknown[];
        readonly rows: readonly RunRow<'positions'>[];
      }
    | undefined;

  /** Throws `BadInput` when no files can be made in `directory`, which is there. */
  constructor(directory: string) {
    this.directory = directory;
    const spool = (name: ExportTable): RowSpool => new RowSpool(join(directory, `${name}.rows.unfinished`));
    this.#spools = {
      fills: spool('fills'),
      orders: spool('orders'),
      round_trips: spool('round_trips'),
      charges: spool('charges'),
      equity: spool('equity'),
      positions: spool('positions'),
    };
    this.#orders = new OrderRows((row) => this.#add('orders', row));
  }

  observe(event: Event, instruments: Instruments): void {
    this.#orders.observe(event, instruments);
  }

  filled({ fill, side, instrument, strategy, type, id, reported, holding }: RowFill): void {
    this.#orders.filled(id, fill);
    const { quoteCurrency, feeCurrency } = instrument.spec;
    this.#add('fills', {
      time: fill.time,
      reported,
      symbol: instrument.symbol,
      strategy,
      order_id: id,
      trade_id: fill.tradeId,
      side,
      order_type: type,
      liquidity: fill.taker ? 'taker' : 'maker',
      price: instrument.priceText(fill.price),
      quantity: instrument.quantityText(fill.quantity),
      value: formatAmount(instrument.notional(fill.price, fill.quantity)),
      currency: quoteCurrency,
      fee: formatAmount(fill.fee),
      fee_currency: feeCurrency,
      position: instrument.quantityText(holding.position.quantity as Lots),
      account: holding.account,
    });
  }

  closed(trip: BookedTrip, exact: ExactTrip, instrument: Instrument): void {
    const { lots, entryWorth, exitWorth, gross, fees } = exact;
    const { contract } = instrument;
    this.#add('round_trips', {
      opened: trip.from,
      closed: trip.to,
      symbol: trip.symbol,
      strategy: trip.strategy,
      side: trip.side,
      exit: trip.exitReason,
      quantity: instrument.quantityText(lots),
      entry_price: formatAmount(contract.priceAt(entryWorth, lots)),
      exit_price: formatAmount(contract.priceAt(exitWorth, lots)),
      gross: formatAmount(gross),
      fees: formatAmount(fees),
      net: formatAmount(subtract(gross, fees)),
      currency: instrument.spec.quoteCurrency,
      return: Number.isFinite(trip.share) ? trip.share : undefined,
      holding_seconds: (trip.to - trip.from) / 1_000_000,
      account: trip.account,
    });
  }

  charged({ kind, instrument, account, strategy, amount, time }: RowCharge): void {
    this.#add('charges', {
      time,
      symbol: instrument.symbol,
      strategy,
      account,
      kind,
      amount: formatAmount(amount),
      currency: instrument.spec.quoteCurrency,
    });
  }

  sampled(
    time: number,
    profits: readonly (readonly [currency: string, profit: Amount])[],
    holdings: readonly RowHolding[],
  ): void {
    if (this.#sample !== undefined && this.#sample.time !== time) this.#keepSample();
    this.#sample = {
      time,
      profits: profits.map(([currency, profit]) => [currency, formatAmount(profit)]),
      rows: holdings.map((holding) => positionRow(time, holding)),
    };
  }

  /** Writes all files. Throws `BadInput` with the path when the disk refuses, or has refused a row. */
  async finish({ summary, isStartAssumed }: ExportedRun): Promise<void> {
    this.#orders.endRows();
    this.#keepSample();
    const markets = summary.markets();
    const currencies = [...new Set(markets.map(({ spec }) => spec.quoteCurrency))];
    const starts = new Map(
      currencies.map((currency) => [
        currency,
        isStartAssumed ? undefined : summary.opening.equity(currency, markets),
      ]),
    );
    for (const name of names) {
      const rows = this.#spools[name].rows();
      const cells =
        name === 'equity' ? equityRows(rows, starts) : (rows as AsyncIterable<readonly ExportCell[]>);
      await writeTable(this.directory, name, exportTables[name], cells);
    }
    this.discard();
  }

  /** Removes what was spooled. */
  discard(): void {
    for (const name of names) this.#spools[name].remove();
  }

  #add<Table extends ExportTable>(table: Table, row: RunRow<Table>): void {
    const cells = row as Readonly<Record<string, ExportCell>>;
    this.#spools[table].add(Object.keys(exportTables[table]).map((column) => cells[column] ?? null));
  }

  #keepSample(): void {
    if (this.#sample === undefined) return;
    const { time, profits, rows } = this.#sample;
    this.#spools.equity.add([time, ...profits]);
    for (const row of rows) this.#add('positions', row);
    this.#sample = undefined;
  }
}

function positionRow(time: number, { holding, price }: RowHolding): RunRow<'positions'> {
  const { instrument, position, account } = holding;
  const { averagePrice } = position;
  const { quoteCurrency, feeCurrency } = instrument.spec;
  const lots = position.quantity as Lots;
  return {
    time,
    symbol: instrument.symbol,
    quantity: instrument.quantityText(lots),
    price: price && formatAmount(price),
    value: price && formatAmount(valueAt(instrument, price, lots)),
    entry_price: averagePrice && formatAmount(averagePrice),
    unrealized: price && formatAmount(holding.unrealized(price)),
    realized: formatAmount(position.realized),
    currency: quoteCurrency,
    fees: formatAmount(position.fees),
    fee_currency: feeCurrency,
    funding: formatAmount(position.charges),
    account,
  };
}

/** Signed as the position: of an inverse contract `worthAt` has the other sign. */
function valueAt(instrument: Instrument, price: Amount, lots: Lots): Amount {
  return instrument.contract.worthOf(instrument.contract.worthAt(price, lots));
}

/** A row for each sample and currency; before the first fill in a currency there was no profit. */
async function* equityRows(
  samples: AsyncIterable<readonly unknown[]>,
  starts: ReadonlyMap<string, Amount | undefined>,
): AsyncGenerator<readonly ExportCell[], void, undefined> {
  const peaks = new Map<string, ProfitPeak>();
  for await (const [time, ...pairs] of samples as AsyncIterable<
    readonly [number, ...(readonly [string, string])[]]
  >) {
    const profits = new Map(pairs);
    for (const [currency, start] of starts) {
      const profit = parseAmount(profits.get(currency) ?? '0');
      const peak = peaks.get(currency) ?? new ProfitPeak();
      peaks.set(currency, peak);
      yield [
        time,
        currency,
        formatAmount(profit),
        start && formatAmount(add(start, profit)),
        formatAmount(negate(peak.countProfit(profit))),
      ];
    }
  }
}
