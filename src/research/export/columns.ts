import type { SchemaElement } from 'hyparquet-writer';

/** What a cell holds, and so how both formats write it. */
export type ColumnType = 'time' | 'text' | 'decimal' | 'number' | 'integer' | 'flag';

export interface ExportColumn {
  readonly type: ColumnType;
  /** Of a number; `quote`: the quote currency of the symbol, named in `currency` of the row. */
  readonly unit?: string;
  readonly meaning: string;
}

export type ExportColumns = Readonly<Record<string, ExportColumn>>;

const symbol: ExportColumn = { type: 'text', meaning: 'name of the instrument' };
const strategy: ExportColumn = { type: 'text', meaning: 'name of the strategy in the run' };
const currency: ExportColumn = { type: 'text', meaning: 'that of all money of the row but fees of another' };
const account: ExportColumn = {
  type: 'text',
  meaning: '`spot`, or the margin it is held on: `isolated`, `cross`',
};
const orderId: ExportColumn = { type: 'text', meaning: 'client order id, as in `orders`' };
const side: ExportColumn = { type: 'text', meaning: '`buy` or `sell`' };
const time = (meaning: string): ExportColumn => ({ type: 'time', meaning });
const money = (meaning: string): ExportColumn => ({ type: 'decimal', unit: 'currency', meaning });
const price = (meaning: string): ExportColumn => ({ type: 'decimal', unit: 'price', meaning });
const quantity = (meaning: string): ExportColumn => ({ type: 'decimal', unit: 'base or contracts', meaning });
const inFees = (meaning: string): ExportColumn => ({ type: 'decimal', unit: 'fee_currency', meaning });

/**
 * Every file of an export of a run and its columns, in their order: both formats are written by it, and the tables of
 * docs/export.md are made of it.
 */
export const exportTables = {
  fills: {
    time: time('when it happened at the exchange'),
    reported: time('when the run heard of it'),
    symbol,
    strategy,
    order_id: orderId,
    trade_id: { type: 'text', meaning: "the venue's number of the trade" },
    side,
    order_type: { type: 'text', meaning: 'type of the order, or `liquidation`' },
    liquidity: { type: 'text', meaning: '`maker` or `taker`' },
    price: price('of the fill'),
    quantity: quantity('of the fill, above 0'),
    value: money('notional: price times quantity, of a contract what it is worth'),
    currency,
    fee: inFees('charged; below 0 is a rebate'),
    fee_currency: { type: 'text', meaning: 'of `fee`' },
    position: quantity('held after it on `account`, signed'),
    account,
  },
  orders: {
    placed: time('when our controls accepted or denied it'),
    acknowledged: time('when the first answer of the venue arrived'),
    ended: time('when its end was reported; empty while it may be live'),
    order_id: orderId,
    replaces: { type: 'text', meaning: 'client order id of the order it was placed instead of' },
    symbol,
    strategy,
    side,
    type: {
      type: 'text',
      meaning: '`limit`, `market`, `stopLimit`, `stopMarket`, `takeProfitLimit`, `takeProfitMarket`',
    },
    time_in_force: { type: 'text', meaning: '`GTC`, `IOC`, `FOK`, `Day`, `GTD`' },
    post_only: { type: 'flag', meaning: 'whether it may only make' },
    price: price('limit price; empty without one'),
    stop_price: price('trigger price; empty without one'),
    quantity: quantity('asked for'),
    filled: quantity('sum of its fills in `fills`'),
    average_price: price('of its fills, weighted by quantity, cut after 24 decimals'),
    fees: inFees('sum of its fills'),
    fee_currency: { type: 'text', meaning: 'of `fees`' },
    state: {
      type: 'text',
      meaning:
        'at the end of the run: `filled`, `canceled`, `expired`, `replaced`, `denied` (by our controls), `rejected` (by the venue), or a state of a live order',
    },
    code: { type: 'text', meaning: 'of a denial or a rejection' },
    why: { type: 'text', meaning: 'the reason in words' },
  },
  round_trips: {
    opened: time('first fill of the position'),
    closed: time('the fill that closed or turned it'),
    symbol,
    strategy,
    side: { type: 'text', meaning: '`long` or `short`' },
    exit: { type: 'text', meaning: 'type of the order that closed it, and `maker` or `taker`' },
    quantity: quantity('sum of the entries'),
    entry_price: price('average, cut after 24 decimals'),
    exit_price: price('average, cut after 24 decimals'),
    gross: money('gain without fees'),
    fees: money('of entries and exits'),
    net: money('`gross` less `fees`'),
    currency,
    return: { type: 'number', unit: 'fraction', meaning: '`net` over what the entries were worth' },
    holding_seconds: { type: 'number', unit: 's', meaning: 'from `opened` to `closed`' },
    account,
  },
  charges: {
    time: time('when the venue took it'),
    symbol,
    strategy: {
      type: 'text',
      meaning:
        'name of the strategy that held the position; empty where several did and the venue names none',
    },
    account,
    kind: { type: 'text', meaning: '`funding` or `interest`' },
    amount: money('paid; below 0 was received'),
    currency,
  },
  equity: {
    time: time('of the sample: the end of a second with an event, on bars the end of a bar'),
    currency,
    profit: money('net profit so far: fees taken off, positions at market value'),
    equity: money(
      'what the account was worth at the start, plus `profit`; empty where the start is not known',
    ),
    drawdown: money('`profit` less its highest value so far, 0 at the start: 0 or below'),
  },
  positions: {
    time: time('of the sample, as in `equity`'),
    symbol,
    quantity: quantity('held, signed'),
    price: price('at which it is valued: mid, else last trade; on bars the close'),
    value: money('of the position at `price`, signed'),
    entry_price: price('average of the open position, cut after 24 decimals; empty when flat'),
    unrealized: money('gain of the open position, without fees'),
    realized: money('gain of everything closed so far, without fees, at average entry prices'),
    currency,
    fees: inFees('charged so far'),
    fee_currency: { type: 'text', meaning: 'of `fees`' },
    funding: money('funding and interest paid so far; below 0 was received'),
    account,
  },
} as const satisfies Readonly<Record<string, ExportColumns>>;

/** `trials`, of a sweep. Parameters stand behind `share`, figures behind `objective`, each in a column of its own name. */
export const trialColumns = {
  trial: { type: 'integer', meaning: 'its number in the search, from 0' },
  share: { type: 'number', unit: 'fraction', meaning: 'how much of the data it has seen' },
  objective: { type: 'number', meaning: 'value of the objective; empty where it has none' },
  failure: { type: 'text', meaning: 'why it failed' },
  currency: { type: 'text', meaning: 'that of its money' },
  digest: { type: 'text', meaning: 'hash over everything that happened' },
} as const satisfies ExportColumns;

export type ExportTable = keyof typeof exportTables;

/** Cells of one row by column; `undefined` is an empty cell. A time is in microseconds, a decimal is exact text. */
export type RunRow<Table extends ExportTable> = {
  readonly [Name in keyof (typeof exportTables)[Table]]: (typeof exportTables)[Table][Name] extends {
    readonly type: infer Type;
  }
    ? CellOf<Type> | undefined
    : never;
};

type CellOf<Type> = Type extends 'text' | 'decimal' ? string : Type extends 'flag' ? boolean : number;

export type ExportCell = string | number | boolean | null | undefined;

/** The Parquet schema of columns: all may be empty. */
export function parquetSchema(columns: ExportColumns): SchemaElement[] {
  const all = Object.entries(columns);
  return [
    { name: 'root', num_children: all.length },
    ...all.map(([name, { type }]): SchemaElement => ({
      name,
      ...parquetTypes[type],
      repetition_type: 'OPTIONAL',
    })),
  ];
}

const parquetTypes: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  decimal: { type: 'DOUBLE' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  flag: { type: 'BOOLEAN' },
};

/** A cell as Parquet holds it. */
export function parquetCell(type: ColumnType, cell: ExportCell): unknown {
  if (cell === undefined || cell === null) return undefined;
  if (type === 'time' || type === 'integer') return BigInt(cell);
  return type === 'decimal' ? Number(cell) : cell;
}

/** A cell as text of a CSV; an empty one is empty. */
export function csvCell(type: ColumnType, cell: ExportCell): string {
  if (cell === undefined || cell === null) return '';
  if (type === 'time') return microsText(Number(cell));
  const text = String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `2024-07-19T00:00:01.000250Z` */
function microsText(micros: number): string {
  const rest = ((micros % 1_000) + 1_000) % 1_000;
  const millis = new Date((micros - rest) / 1_000).toISOString();
  return `${millis.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}
