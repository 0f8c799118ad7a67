import type {
  BalanceRow,
  ControlRow,
  FillRow,
  HeldRow,
  LimitUse,
  MarginRow,
  OrderRow,
} from '../../operate/schemas.ts';

/** Columns of each list of the operator, as a person reads it. */
export const listColumns = {
  orders: ['clientOrderId', 'strategy', 'symbol', 'side', 'quantity', 'executed', 'price', 'state'],
  positions: [
    'strategy',
    'symbol',
    'account',
    'quantity',
    'averagePrice',
    'price',
    'realized',
    'unrealized',
    'fees',
    'charges',
  ],
  margin: [
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
  balances: ['wallet', 'account', 'currency', 'available', 'reserved'],
  fills: ['time', 'strategy', 'symbol', 'side', 'quantity', 'price', 'fee', 'feeCurrency', 'clientOrderId'],
  limits: ['of', 'name', 'used', 'limit', 'unit'],
  controls: ['code', 'denied', 'time', 'strategy', 'why'],
} as const satisfies {
  readonly orders: readonly (keyof OrderRow)[];
  readonly positions: readonly (keyof HeldRow)[];
  readonly margin: readonly (keyof MarginRow)[];
  readonly balances: readonly (keyof BalanceRow)[];
  readonly fills: readonly (keyof FillRow)[];
  readonly limits: readonly (keyof LimitUse)[];
  readonly controls: readonly (keyof ControlRow)[];
};

/** Columns of the positions in margin accounts. */
export const marginPositions = [
  'symbol',
  'mode',
  'quantity',
  'entry',
  'price',
  'marginCallPrice',
  'liquidationPrice',
  'leverage',
  'pnl',
] as const satisfies readonly (keyof MarginRow['positions'][number])[];

/** Name of a list of the operator. */
export type ListName = keyof typeof listColumns;
