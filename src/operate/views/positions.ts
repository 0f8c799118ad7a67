import { add, formatAmount } from '../../core/base/amount.ts';
import { settledProfit } from '../../core/ledger/valuation.ts';
import { middleOf, unrealizedNow } from '../../core/orders/base/profit.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { ViewRowOf } from './view.ts';
import { amountCell, decimal, oneOf, orNull, quantityUnit, view, word } from './view.ts';

const fields = {
  strategy: word(),
  symbol: word(),
  account: oneOf(['spot', 'isolated', 'cross']),
  quantity: decimal('negative: short'),
  unit: quantityUnit,
  averagePrice: orNull(decimal()),
  price: orNull(decimal(), 'the middle of the book, or the last trade'),
  realized: decimal('in quote currency, fees left out'),
  unrealized: orNull(decimal()),
  fees: decimal(),
  feeCurrency: word(),
  charges: decimal('funding and interest paid; negative: received'),
  profit: orNull(
    decimal(),
    'realised and unrealised, less fees and charges; null: there is no price. Fees in a third currency are no part',
  ),
  currency: word('the quote currency'),
};

export type HeldRow = ViewRowOf<typeof fields>;

const gain = { '+': 'good', '-': 'bad' } as const;

export const positionsView = view({
  name: 'positions',
  command: 'positions',
  isOfMoney: true,
  text: 'what strategies hold, with profit',
  empty: 'no positions',
  fields,
  columns: [
    'strategy',
    'symbol',
    'account',
    'quantity',
    'unit',
    'averagePrice',
    'price',
    'realized',
    'unrealized',
    'charges',
    'currency',
    'fees',
    'feeCurrency',
  ],
  card: {
    order: 10,
    title: 'Positions',
    kind: 'table',
    key: ['strategy', 'symbol', 'account'],
    columns: [
      'strategy',
      'symbol',
      'account',
      'quantity',
      { field: 'averagePrice', title: 'average price' },
      'price',
      { field: 'realized', title: 'realised', tones: gain },
      { field: 'unrealized', title: 'unrealised', tones: gain },
      { field: 'fees', title: 'fees', with: [' ', 'feeCurrency'] },
      'charges',
      'currency',
    ],
  },
  rows: ({ trader }) => heldRows(trader),
});

/** Rows of what the strategies of a trader hold and have held, in text. */
export function heldRows({ view: state, instruments }: Pick<Trader, 'view' | 'instruments'>): HeldRow[] {
  return state.positions().map((position) => {
    const instrument = instruments.at(position.instrument);
    const unrealized = unrealizedNow(state, position);
    return {
      strategy: position.strategy,
      symbol: instrument.symbol,
      account: position.account,
      quantity: instrument.heldText(position.held),
      unit: instrument.unit,
      averagePrice: amountCell(position.averagePrice),
      price: amountCell(middleOf(state, instrument)),
      realized: formatAmount(position.realized),
      unrealized: amountCell(unrealized),
      profit: amountCell(unrealized === undefined ? undefined : add(settledProfit(position), unrealized)),
      fees: formatAmount(position.fees),
      feeCurrency: instrument.spec.feeCurrency,
      charges: formatAmount(position.charges),
      currency: instrument.spec.quoteCurrency,
    };
  });
}
