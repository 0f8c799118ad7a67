import { Instruments } from '../../../core/model/instrument.ts';
import { placeOf } from '../bars-rows.ts';
import { symbolOfText } from './bars-symbol.ts';
import { GridSurvey } from './grid-survey.ts';
import type { Rounded } from './price-rounding.ts';
import { addRounded, roundingOf } from './price-rounding.ts';
import type { TableUnits } from './units.ts';
import { lookAtPrices, newTableUnits } from './units.ts';
import { refuseTooMany } from '../../../core/model/symbols-max.ts';
import type { OpenOptions } from '../format.ts';
import { untilDamage } from '../partial-recording.ts';
import { refuseMixed, skippingOf } from '../table-records.ts';
import type { RawTrade, TradeTable } from './trades.ts';
import { TradeReader, readTrades } from './trades.ts';

/** Result of the first pass over tables of trades. */
export interface SurveyedTrades {
  readonly tables: readonly TradeTable[];
  readonly instruments: Instruments;
  /** Whether quantities are longer than any grid, and rounded to one. */
  readonly coarse: boolean;
  /** Whether the rows of each table are in the order of time. */
  readonly inOrder: readonly boolean[];
  readonly rowsBack: number;
  readonly noise: number;
  readonly units: Readonly<TableUnits>;
  /** Prices that were rounded to the tick, because that was asked for. */
  readonly rounded: Readonly<Rounded>;
  readonly hasSide: boolean;
  /** Symbols of rows that are left out. */
  readonly others: ReadonlySet<string>;
}

/** Reads all tables once: symbols, grids, order. Throws `BadInput` for the first row that is no trade. */
export async function surveyTrades(
  given: readonly TradeTable[],
  options: OpenOptions,
): Promise<SurveyedTrades> {
  const tables = given.map((table) => ({ ...table, ...roundingOf(options), ...skippingOf(options) }));
  const rounded: Rounded = { count: 0, furthest: 0 };
  const grids = new Map<string, GridSurvey>();
  const inOrder: boolean[] = [];
  let rowsBack = 0;
  let noise = 0;
  const units = newTableUnits();
  const others = new Set<string>();
  for (const table of tables) {
    const reader = new TradeReader(table);
    let last = Number.NEGATIVE_INFINITY;
    let back = 0;
    for await (const trades of untilDamage(readTrades(table, reader), options.partial)) {
      for (const trade of trades) {
        if (trade.received < last) back += 1;
        last = trade.received;
        const grid = gridOf(grids, table, options, trade);
        grid.price(trade.price, table.source, trade.number);
        grid.size(trade.quantity);
      }
    }
    reader.end(table.source.path);
    inOrder.push(back === 0);
    rowsBack += back;
    noise += reader.noise;
    units.isFixed ||= reader.isFixed;
    units.contracts += reader.contracts;
    units.skipped += reader.skipped;
    addRounded(rounded, reader.rounded);
    for (const other of reader.others) others.add(other);
  }
  refuseMixed([...grids.keys()], tables, options);
  const guesses = new Map(tables.map(({ symbol }) => [symbol.symbol, symbol]));
  const specs =
    options.instruments ??
    [...grids].map(([symbol, grid]) => grid.spec(guesses.get(symbol) ?? symbolOfText(symbol), options));
  lookAtPrices(units, specs, (symbol) => grids.get(symbol));
  return {
    tables,
    instruments: new Instruments(specs),
    coarse:
      options.instruments === undefined &&
      options.increment === undefined &&
      [...grids.values()].some((grid) => grid.isCoarse),
    inOrder,
    rowsBack,
    noise,
    units,
    rounded,
    others,
    hasSide: tables.every(
      ({ columns, sides }) => sides === 'signed' || columns.index.has('side') || columns.index.has('maker'),
    ),
  };
}

function gridOf(
  grids: Map<string, GridSurvey>,
  table: TradeTable,
  options: OpenOptions,
  trade: RawTrade,
): GridSurvey {
  const symbol = options.symbol ?? (trade.symbol === '' ? table.symbol.symbol : trade.symbol);
  let grid = grids.get(symbol);
  if (grid === undefined) {
    refuseTooMany(grids.size, symbol, placeOf(table.source, trade.number));
    grid = new GridSurvey();
    grids.set(symbol, grid);
  }
  return grid;
}
