import { formatAmount } from '../../core/base/amount.ts';
import { timeText } from '../../core/base/clock.ts';
import type { OwnTrade } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { ViewRowOf } from './view.ts';
import { decimal, flag, oneOf, priceCurrency, quantityUnit, time, view, word } from './view.ts';

export const fillFields = {
  tradeId: word(),
  clientOrderId: word(),
  strategy: word(),
  symbol: word(),
  side: oneOf(['buy', 'sell']),
  quantity: decimal(),
  unit: quantityUnit,
  price: decimal(),
  currency: priceCurrency,
  fee: decimal(),
  feeCurrency: word(),
  taker: flag(undefined, ['taker', 'maker']),
  time: time(),
};

export type FillRow = ViewRowOf<typeof fillFields>;

export const tradesView = view({
  name: 'fills',
  command: 'trades',
  text: 'the last 1,000 own fills, those of earlier sessions too, the newest first',
  empty: 'no fills',
  fields: fillFields,
  columns: [
    'time',
    'strategy',
    'symbol',
    'side',
    'quantity',
    'unit',
    'price',
    'currency',
    'fee',
    'feeCurrency',
    'clientOrderId',
  ],
  card: {
    order: 50,
    title: 'Last fills',
    kind: 'table',
    key: ['symbol', 'tradeId', 'clientOrderId'],
    rowsMax: 100,
    columns: [
      'time',
      'strategy',
      'symbol',
      { field: 'side', title: 'side', tones: { buy: 'good', sell: 'bad' } },
      'quantity',
      'price',
      { field: 'fee', title: 'fee', with: [' ', 'feeCurrency'] },
      { field: 'taker', title: '' },
      { field: 'clientOrderId', title: 'client id', act: 'explain' },
    ],
  },
  // `fillRow` made them.
  rows: ({ fills }) => fills.toReversed() as FillRow[],
  live: 'as they come',
});

/** An own execution, in text. */
export function fillRow(trade: OwnTrade, strategy: string, instruments: Instruments): FillRow {
  const instrument = instruments.at(trade.instrument);
  return {
    tradeId: trade.tradeId,
    clientOrderId: trade.clientOrderId,
    strategy,
    symbol: instrument.symbol,
    side: trade.side,
    quantity: instrument.quantityText(trade.quantity),
    unit: instrument.unit,
    price: instrument.priceText(trade.price),
    currency: instrument.spec.quoteCurrency,
    fee: formatAmount(trade.fee),
    feeCurrency: instrument.spec.feeCurrency,
    taker: trade.taker,
    time: timeText(trade.time),
  };
}
