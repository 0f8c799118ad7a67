import { BadInput } from '../../../../core/base/errors.ts';
import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmount } from '../../../../core/base/amount.ts';
import type { ReadTarget } from '../../../../core/model/command.ts';
import type { FundingRate, OwnTrade, ReadBook, WalletTransfer } from '../../../../core/model/event.ts';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { MarginAccountView } from '../../../../core/model/margin.ts';
import type { Balance, Level } from '../../../../core/model/market.ts';
import type { VenueOrder } from '../../../../core/model/order.ts';
import type { MarginProductName, Product } from '../../../../core/model/product.ts';
import { products } from '../../../../core/model/product.ts';
import { parseFrame } from '../../wire/json.ts';
import type { SocketId } from '../../wire/index.ts';
import { readAnswer } from '../../wire/socket-reply.ts';
import { bookDepth, orderBook } from '../../wire/resources/book.ts';
import { readFunding } from '../../wire/resources/futures.ts';
import type { AccountReport, PositionReport } from '../../wire/resources/margin-model.ts';
import { decodeMarginAccount, decodePosition } from '../../wire/resources/margin-model.ts';
import type { DecodedReport } from '../../wire/resources/order-model.ts';
import { decodeOrder, decodeOwnTrade, decodeReport } from '../../wire/resources/order-model.ts';
import type { TransactionSubtype, WalletTransaction } from '../../wire/resources/wallet.ts';
import { transaction } from '../../wire/resources/wallet.ts';
import type { RpcAnswer } from '../calls/index.ts';
import type { OwnRows } from './own-rows.ts';

/** One message of the trading socket. */
export type TradingMessage =
  | { readonly kind: 'reports'; readonly reports: readonly DecodedReport[]; readonly foreign: number }
  | {
      readonly kind: 'balances';
      readonly wallet: 'futures' | undefined;
      readonly balances: readonly Balance[];
    }
  | {
      readonly kind: 'accounts';
      readonly product: MarginProductName;
      readonly reports: readonly AccountReport[];
      readonly foreign: number;
    }
  | { readonly kind: 'position'; readonly product: MarginProductName; readonly report: PositionReport }
  | { readonly kind: 'reply'; readonly id: SocketId | undefined; readonly answer: RpcAnswer }
  /** A notification this version does not know: no loss, because nothing of ours comes that way. */
  | { readonly kind: 'unknown' };

/**
 * Reads one frame of the v3 trading socket. Throws `BadInput` when it is malformed: on this socket every message is
 * about the own account. Source: v3-gaps, sections 2.2 and 2.3.
 */
export function readTradingFrame(bytes: Uint8Array, rows: OwnRows): TradingMessage {
  const frame = parseFrame(bytes);
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) {
    throw new BadInput('v3 trading frame: expected an object');
  }
  if (!('method' in frame)) return readReply(frame);
  const params = 'params' in frame ? frame.params : undefined;
  const method = String(frame.method);
  const [product, notice] = splitName(method);
  switch (notice) {
    case 'order':
      return readReports([params], rows);
    case 'orders':
      return readReports(listOf(params, method), rows);
    case 'balance':
      if (product === 'margin') break;
      return {
        kind: 'balances',
        wallet: product === 'futures' ? product : undefined,
        balances: rows.balances(params),
      };
    case 'account':
    case 'account_cross':
      return readAccounts(product, [params], rows);
    case 'accounts':
      return readAccounts(product, listOf(params, method), rows);
    case 'position':
    case 'position_cross':
      return readPosition(product, params, rows);
  }
  return { kind: 'unknown' };
}

/** The product and the rest of the name of a notification, such as `futures` and `account_cross`. */
function splitName(method: string): readonly [Product | undefined, string] {
  const product = products.find((one) => method.startsWith(`${one}_`));
  return [product, product === undefined ? '' : method.slice(product.length + 1)];
}

function listOf(params: unknown, method: string): readonly unknown[] {
  if (!Array.isArray(params)) throw new BadInput(`v3 ${method}: expected a list`);
  return params;
}

function readAccounts(
  product: Product | undefined,
  accounts: readonly unknown[],
  rows: OwnRows,
): TradingMessage {
  if (product === undefined || product === 'spot') return { kind: 'unknown' };
  const read = rows.each(`${product} accounts`, accounts, (row) =>
    decodeMarginAccount(row, rows.instruments),
  );
  const reports = read.filter((report) => report !== undefined);
  return { kind: 'accounts', product, reports, foreign: accounts.length - reports.length };
}

function readPosition(product: Product | undefined, row: unknown, rows: OwnRows): TradingMessage {
  if (product === undefined || product === 'spot') return { kind: 'unknown' };
  const [report] = rows.each(`${product} position`, [row], (one) => decodePosition(one, rows.instruments));
  if (report === undefined) return { kind: 'accounts', product, reports: [], foreign: 1 };
  return { kind: 'position', product, report };
}

/** The report a reply to a new or replaced order carries; `undefined` when it is about a symbol that is not ours. */
export function decodeReply(result: unknown, instruments: Instruments): DecodedReport | undefined {
  return isForeign(result, instruments) ? undefined : decodeReport('v3', result, instruments);
}

function readReports(orders: readonly unknown[], rows: OwnRows): TradingMessage {
  const { instruments } = rows;
  const own = orders.filter((row) => !isForeign(row, instruments));
  const reports = rows.each('order reports', own, (row) => decodeReport('v3', row, instruments));
  return { kind: 'reports', reports, foreign: orders.length - own.length };
}

function readReply(frame: object): TradingMessage {
  const answer = readAnswer(frame);
  if (typeof answer === 'string') throw new BadInput(`v3 trading reply: ${answer}`);
  const { id, result, error } = answer;
  return {
    kind: 'reply',
    id,
    answer: error === undefined ? { kind: 'result', result } : { kind: 'error', error },
  };
}

/** What the answer to a read says. */
export interface ReadRows {
  readonly orders: readonly VenueOrder[];
  readonly fills: readonly OwnTrade[];
  readonly balances: readonly Balance[];
  readonly marginAccounts?: readonly MarginAccountView[];
  readonly fundingRates?: readonly FundingRate[];
  readonly transfers?: readonly WalletTransfer[];
  readonly book?: ReadBook | undefined;
  /** Rows of symbols that are not among ours. */
  readonly foreign: number;
}

/** Reads the body of an answered read. Throws `BadInput` naming the member that is not as expected. */
export function decodeRead(what: ReadTarget, body: unknown, own: OwnRows): ReadRows {
  const { instruments } = own;
  if (what.of === 'balances') return { ...noRows, balances: own.balances(body), foreign: 0 };
  if (what.of === 'book')
    return { ...noRows, book: readBook(body, instruments.at(what.instrument)), foreign: 0 };
  if (!Array.isArray(body)) throw new BadInput(`answer to a read of ${what.of}: expected a list`);
  if (what.of === 'fundingRates') {
    const { symbol } = instruments.at(what.instrument);
    const rates = readable(body, (row) => readFunding([row], symbol));
    const fundingRates = rates.map(({ time, fundingRate }) => ({ time, rate: fundingRate }));
    return { ...noRows, fundingRates, foreign: 0 };
  }
  if (what.of === 'transfers') {
    const rows = readable(body, (row) => transaction.v3.readList([row]));
    return { ...noRows, transfers: rows.flatMap((row) => transferOf(row) ?? []), foreign: 0 };
  }
  const rows: readonly unknown[] = body;
  if (what.of === 'marginAccounts') {
    const read = own.each('margin accounts', rows, (row) => decodeMarginAccount(row, instruments)?.account);
    const marginAccounts = read.filter((account) => account !== undefined);
    return { ...noRows, marginAccounts, foreign: rows.length - marginAccounts.length };
  }
  const ours = rows.filter((row) => !isForeign(row, instruments));
  const foreign = rows.length - ours.length;
  if (what.of === 'tradeHistory') {
    const fills = own.each('own trades', ours, (row) => decodeOwnTrade('v3', row, instruments));
    return { ...noRows, fills, foreign };
  }
  const orders = own.each('orders', ours, (row) => decodeOrder('v3', row, instruments));
  return { ...noRows, orders, foreign };
}

/** A book on the grid; `undefined` of one that cannot be read, which proves nothing. */
function readBook(body: unknown, instrument: Instrument): ReadBook | undefined {
  const [read] = readable([body], (one) => [orderBook.v3.read(one)]);
  if (read === undefined) return undefined;
  const onGrid = (levels: typeof read.bid): readonly Level[] =>
    levels.map(({ price, quantity }) => ({
      price: instrument.readTicks(formatAmount(price)),
      quantity: instrument.readLots(formatAmount(quantity)),
    }));
  const book = {
    time: read.timestamp,
    bids: onGrid(read.bid),
    asks: onGrid(read.ask),
    depth: bookDepth,
  };
  const isOnGrid = [...book.bids, ...book.asks].every(({ price, quantity }) => price > 0 && quantity > 0);
  return isOnGrid ? book : undefined;
}

/** Between spot and contracts there is no subtype: such a transfer is unclassified. */
const transfers: Readonly<
  Partial<Record<TransactionSubtype, Pick<WalletTransfer, 'wallet'> & { sign: bigint }>>
> = {
  UNCLASSIFIED: { wallet: undefined, sign: 1n },
  WALLET_TO_SPOT: { wallet: 'spot', sign: 1n },
  SPOT_TO_WALLET: { wallet: 'spot', sign: -1n },
  WALLET_TO_DERIVATIVES: { wallet: 'futures', sign: 1n },
  DERIVATIVES_TO_WALLET: { wallet: 'futures', sign: -1n },
};

/** The rows that can be read, of lists that are evidence and no more: a row that cannot be read proves nothing. */
function readable<Row>(rows: readonly unknown[], read: (row: unknown) => readonly Row[]): readonly Row[] {
  return rows.flatMap((row) => {
    try {
      return read(row);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      return [];
    }
  });
}

/** What a transaction moved in a wallet that trades; `undefined` of all others. Source: API v3, "Transaction". */
function transferOf(row: WalletTransaction): WalletTransfer | undefined {
  const { status, type, subtype, createdAt, native } = row;
  const moved = transfers[subtype];
  if (moved === undefined || status !== 'SUCCESS' || type !== 'TRANSFER') return undefined;
  const amount = (native.amount * moved.sign) as Amount;
  return { wallet: moved.wallet, currency: native.currency, amount, time: createdAt };
}

const noRows = { orders: [], fills: [], balances: [] } as const;

/** Whether a row is about a symbol that is not among ours: it is traded on the same account by another program or by hand. */
export function isForeign(row: unknown, instruments: Instruments): boolean {
  if (typeof row !== 'object' || row === null || !('symbol' in row)) return false;
  return typeof row.symbol === 'string' && instruments.find(row.symbol) === undefined;
}
