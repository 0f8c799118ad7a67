import type { Amount } from '../../../src/core/base/amount.ts';
import { add, formatAmount, multiply, parseAmount, subtract, zero } from '../../../src/core/base/amount.ts';
import type { Stage } from './stage.ts';

// What the exchange itself answers over REST: read by code of its own, none of the client's.

interface TradeRow {
  readonly id: number;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
  readonly position_id?: number;
}

interface OrderRow {
  readonly id: number;
  readonly client_order_id: string;
  readonly quantity: string;
  readonly quantity_cumulative: string;
}

interface PositionRow {
  readonly id: number;
  readonly symbol: string;
  readonly quantity: string;
  readonly leverage: string;
  readonly margin_mode: string;
  readonly price_entry: string;
}

interface AccountRow {
  readonly symbol: string;
  readonly type: string;
  readonly currencies: readonly {
    readonly code: string;
    readonly margin_balance: string;
    readonly reserved_orders: string;
    readonly reserved_positions: string;
  }[];
  readonly positions: readonly PositionRow[] | null;
}

interface BalanceRow {
  readonly currency: string;
  readonly available: string;
  readonly reserved: string;
}

/** An execution as the history has it. */
export interface VenueTrade {
  readonly id: number;
  readonly order: string;
  readonly symbol: string;
  /** `spot`, or the mode of the margin account. */
  readonly account: string;
  /** Signed: below zero where it sold. */
  readonly quantity: Amount;
  /** What of it is left in the account: without a fee in base currency. */
  readonly held: Amount;
  readonly price: Amount;
  readonly fee: Amount;
}

/** An order as a list of the exchange has it. */
export interface VenueOrder {
  readonly id: number;
  readonly clientOrderId: string;
  readonly product: string;
  readonly quantity: Amount;
  readonly cumulative: Amount;
  readonly isLive: boolean;
}

export interface VenueAccount {
  /** `margin isolated ETHUSDT`, `futures cross USDT`. */
  readonly name: string;
  readonly currency: string;
  readonly balance: string;
  readonly orders: string;
  readonly required: string;
  readonly positions: readonly {
    readonly symbol: string;
    readonly quantity: string;
    readonly entry: string;
    readonly leverage: string;
  }[];
}

/** Everything about money that the exchange tells of the demo account, now. */
export interface VenueRecord {
  /** By wallet and currency, what is not empty: `futures USDT`. */
  readonly wallets: ReadonlyMap<string, { readonly available: Amount; readonly reserved: Amount }>;
  readonly accounts: readonly VenueAccount[];
  /** Oldest first within each product. */
  readonly trades: readonly VenueTrade[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Another client with the key of the daemon. */
export async function venueAnswer(
  stage: Stage,
  path: string,
  method: Method = 'GET',
  body?: object,
): Promise<unknown> {
  const key = stage.exchange.accounts.get('demo').keys[0];
  const authorization = `Basic ${Buffer.from(`${key?.apiKey}:${key?.secret.reveal()}`).toString('base64')}`;
  const answer = await fetch(`${stage.exchange.restUrl}/api/3/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export async function venueRecord(stage: Stage): Promise<VenueRecord> {
  return recordBy((path) => venueAnswer(stage, path));
}

/** Asks the exchange for a path below `/api/3`. */
export type AskVenue = (path: string) => Promise<unknown>;

/** Orders of all products: those that live and the last 1,000 of each product. */
export async function venueOrdersBy(ask: AskVenue): Promise<readonly VenueOrder[]> {
  const found: VenueOrder[] = [];
  for (const product of ['spot', 'margin', 'futures']) {
    const ended = (await ask(`${product}/history/order?limit=1000`)) as readonly OrderRow[];
    // Asked last: what it does not list has ended.
    const live = (await ask(`${product}/order`)) as readonly OrderRow[];
    const liveIds = new Set(live.map(({ id }) => id));
    for (const row of [...live, ...ended.filter(({ id }) => !liveIds.has(id))])
      found.push({
        id: row.id,
        clientOrderId: row.client_order_id,
        product,
        quantity: parseAmount(row.quantity),
        cumulative: parseAmount(row.quantity_cumulative),
        isLive: liveIds.has(row.id),
      });
  }
  return found;
}

export async function recordBy(ask: AskVenue): Promise<VenueRecord> {
  const rows = async <Row>(path: string): Promise<readonly Row[]> => (await ask(path)) as readonly Row[];
  const wallets = new Map<string, { available: Amount; reserved: Amount }>();
  for (const wallet of ['spot', 'futures'])
    for (const { currency, available, reserved } of await rows<BalanceRow>(`${wallet}/balance`))
      if (Number(available) !== 0 || Number(reserved) !== 0)
        wallets.set(`${wallet} ${currency}`, {
          available: parseAmount(available),
          reserved: parseAmount(reserved),
        });
  const accounts: VenueAccount[] = [];
  const trades = (await rows<TradeRow>('spot/history/trade?limit=1000')).map((row) => tradeOf(row, 'spot'));
  for (const product of ['margin', 'futures']) {
    for (const row of await rows<AccountRow>(`${product}/account`)) accounts.push(accountOf(product, row));
    const history = await rows<PositionRow>(`${product}/history/positions?limit=1000`);
    const open = (await rows<AccountRow>(`${product}/account`)).flatMap(({ positions }) => positions ?? []);
    const modes = new Map([...history, ...open].map(({ id, margin_mode: mode }) => [id, mode.toLowerCase()]));
    const traded = await rows<TradeRow>(`${product}/history/trade?limit=1000`);
    trades.push(...traded.map((row) => tradeOf(row, modes.get(row.position_id ?? 0) ?? 'unknown')));
  }
  return { wallets, accounts, trades: trades.toSorted((one, other) => one.id - other.id) };
}

function tradeOf(row: TradeRow, account: string): VenueTrade {
  const { id, client_order_id: order, symbol, side, quantity, price, fee } = row;
  const size = parseAmount(quantity);
  const signed = side === 'buy' ? size : subtract(zero, size);
  return {
    id,
    order,
    symbol,
    account,
    quantity: signed,
    held: signed,
    price: parseAmount(price),
    fee: parseAmount(fee),
  };
}

function accountOf(product: string, { symbol, type, currencies, positions }: AccountRow): VenueAccount {
  const [money] = currencies;
  if (money === undefined) throw new Error(`a ${product} account without a currency: ${symbol}`);
  return {
    name: `${product} ${type.toLowerCase()} ${symbol}`,
    currency: money.code,
    balance: plain(money.margin_balance),
    orders: plain(money.reserved_orders),
    required: plain(money.reserved_positions),
    positions: (positions ?? []).map((one) => ({
      symbol: one.symbol,
      quantity: plain(one.quantity),
      entry: plain(one.price_entry),
      leverage: plain(one.leverage),
    })),
  };
}

/** Without zeros that say nothing. */
export function plain(text: string): string {
  return formatAmount(parseAmount(text));
}

/** What executions came to, by symbol and account. */
export function tradedBy(
  trades: readonly VenueTrade[],
): ReadonlyMap<
  string,
  { readonly fills: number; readonly quantity: Amount; readonly cash: Amount; readonly fees: Amount }
> {
  const sums = new Map<string, { fills: number; quantity: Amount; cash: Amount; fees: Amount }>();
  for (const { symbol, account, quantity, held, price, fee } of trades) {
    const key = `${symbol} ${account}`;
    const sum = sums.get(key) ?? { fills: 0, quantity: zero, cash: zero, fees: zero };
    sums.set(key, {
      fills: sum.fills + 1,
      quantity: add(sum.quantity, held),
      cash: subtract(sum.cash, multiply(quantity, price)),
      fees: add(sum.fees, fee),
    });
  }
  return sums;
}
