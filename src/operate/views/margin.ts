import type { Amount } from '../../core/base/amount.ts';
import { amountToNumber, formatAmount } from '../../core/base/amount.ts';
import { timeText } from '../../core/base/clock.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { PositionView } from '../../core/model/margin.ts';
import { isSameAccount } from '../../core/model/margin.ts';
import { middleOf } from '../../core/orders/base/profit.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { ViewRowOf } from './view.ts';
import {
  amountCell,
  decimal,
  flag,
  oneOf,
  orNull,
  priceCurrency,
  priceText,
  quantityUnit,
  rowsOf,
  time,
  view,
  word,
} from './view.ts';

const positionFields = {
  symbol: word(),
  mode: oneOf(['isolated', 'cross']),
  quantity: decimal('negative: short'),
  unit: quantityUnit,
  entry: decimal('the average price of what is open'),
  price: orNull(decimal(), 'the middle of the book, or the last trade'),
  marginCallPrice: orNull(decimal(), 'null: no price leads there'),
  liquidationPrice: orNull(decimal(), 'null: no price leads there'),
  liquidationPercent: orNull(
    decimal(),
    'how far the price is from there, in percent of the price; null: one of them is not known',
  ),
  leverage: decimal(),
  currency: priceCurrency,
  pnl: decimal('unrealised profit, as the venue reports it'),
  pnlCurrency: word('of the margin account'),
};

const fields = {
  product: oneOf(['margin', 'futures'], 'whose orders the account pays'),
  mode: oneOf(['isolated', 'cross']),
  symbol: orNull(word(), 'null: cross margin'),
  currency: word(),
  leverage: orNull(decimal()),
  balance: decimal(),
  reservedOrders: decimal(),
  reservedPositions: decimal(),
  callMargin: decimal('equity at which a margin call is sent'),
  liquidationMargin: decimal('equity at which positions are liquidated'),
  called: flag('whether the account is under a margin call', ['margin call', 'open']),
  changing: flag('whether a change of ours is not settled yet', ['changing', '']),
  updatedAt: time(),
  positions: rowsOf(positionFields, 'as the venue reports them'),
};

export type MarginRow = ViewRowOf<typeof fields>;

/** Columns of the positions in margin accounts. */
export const marginPositions = [
  'symbol',
  'mode',
  'quantity',
  'unit',
  'entry',
  'price',
  'marginCallPrice',
  'liquidationPrice',
  'currency',
  'leverage',
  'pnl',
  'pnlCurrency',
] as const satisfies readonly (keyof typeof positionFields)[];

export const marginView = view({
  name: 'margin',
  command: 'margin',
  isOfMoney: true,
  text: 'margin accounts that are open, with their positions',
  empty: 'no margin accounts',
  fields,
  columns: [
    'product',
    'mode',
    'symbol',
    'currency',
    'leverage',
    'balance',
    'reservedOrders',
    'reservedPositions',
    'callMargin',
    'liquidationMargin',
    'called',
    'changing',
  ],
  within: { field: 'positions', columns: marginPositions },
  card: {
    order: 20,
    title: 'Margin accounts',
    kind: 'table',
    key: ['product', 'mode', 'symbol', 'currency', 'positions.symbol'],
    hides: true,
    each: 'positions',
    columns: [
      { field: 'product', title: 'account', with: [', ', 'mode'] },
      { field: 'positions.symbol', title: 'symbol', or: 'symbol' },
      { field: 'called', title: 'state', with: [', ', 'changing'], tones: { 'margin call': 'bad' } },
      { field: 'balance', title: 'margin', with: [' ', 'currency'] },
      { field: 'positions.leverage', title: 'leverage', or: 'leverage' },
      { field: 'positions.quantity', title: 'quantity' },
      { field: 'positions.entry', title: 'entry' },
      { field: 'positions.price', title: 'price' },
      { field: 'positions.marginCallPrice', title: 'margin call at' },
      { field: 'positions.liquidationPrice', title: 'liquidation at' },
      { field: 'positions.liquidationPercent', title: '% away' },
    ],
  },
  rows: ({ trader }) => marginRows(trader),
});

/** Margin accounts of a trader that are open, as the venue reports them, in text. */
export function marginRows({ view: state, instruments }: Pick<Trader, 'view' | 'instruments'>): MarginRow[] {
  return state.marginAccounts().map(({ product, account }) => {
    const { mode, instrument, currency, leverage, called, updatedAt, positions } = account;
    const key = { product, mode, instrument, currency };
    return {
      product,
      mode,
      symbol: instrument === undefined ? null : instruments.at(instrument).symbol,
      currency,
      leverage: amountCell(leverage),
      balance: formatAmount(account.balance),
      reservedOrders: formatAmount(account.reservedOrders),
      reservedPositions: formatAmount(account.reservedPositions),
      callMargin: formatAmount(account.callMargin),
      liquidationMargin: formatAmount(account.liquidationMargin),
      called,
      changing: state.marginChanges.some(({ change }) => isSameAccount(change, key)),
      updatedAt: timeText(updatedAt),
      positions: positions.map((position) => ({
        ...positionRow(position, { view: state, instruments }),
        pnlCurrency: currency,
      })),
    };
  });
}

function positionRow(
  position: PositionView,
  { view: state, instruments }: Pick<Trader, 'view' | 'instruments'>,
): Omit<MarginRow['positions'][number], 'pnlCurrency'> {
  const instrument = instruments.at(position.instrument);
  return {
    symbol: instrument.symbol,
    mode: position.mode,
    quantity: formatAmount(position.quantity),
    unit: instrument.unit,
    entry: formatAmount(position.entry),
    price: amountCell(middleOf(state, instrument)),
    marginCallPrice: priceText(instrument, position.marginCall),
    liquidationPrice: priceText(instrument, position.liquidation),
    liquidationPercent: percentTo(instrument, position, middleOf(state, instrument)),
    currency: instrument.spec.quoteCurrency,
    leverage: formatAmount(position.leverage),
    pnl: formatAmount(position.pnl),
  };
}

function percentTo(
  instrument: Instrument,
  { liquidation }: PositionView,
  price: Amount | undefined,
): string | null {
  if (liquidation === undefined || price === undefined || price <= 0n) return null;
  const level = Number(instrument.priceText(liquidation));
  return (Math.abs(level / amountToNumber(price) - 1) * 100).toFixed(1);
}
