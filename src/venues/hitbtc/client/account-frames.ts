import { BadInput } from '../../../core/base/errors.ts';
import type { ReadTarget } from '../../../core/model/command.ts';
import type { OwnTrade } from '../../../core/model/event.ts';
import type { Instruments } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { VenueOrder } from '../../../core/model/order.ts';
import { parseFrame } from '../wire/json.ts';
import type { SocketId } from '../wire/market-sink.ts';
import { readAnswer } from '../wire/socket-reply.ts';
import { decodeOrder, decodeOwnTrade, decodeReport } from '../wire/resources/order-model.ts';
import type { DecodedReport } from '../wire/resources/order-model.ts';
import type { RpcAnswer } from './rpc-calls.ts';
import { walletBalance } from '../wire/resources/account.ts';

/** One message of the trading socket. */
export type TradingMessage =
  | { readonly kind: 'reports'; readonly reports: readonly DecodedReport[]; readonly foreign: number }
  | { readonly kind: 'balances'; readonly balances: readonly Balance[] }
  | { readonly kind: 'reply'; readonly id: SocketId | undefined; readonly answer: RpcAnswer }
  /** A notification this version does not know: no loss, because nothing of ours comes that way. */
  | { readonly kind: 'unknown' };

/**
 * Reads one frame of the v3 trading socket. Throws `BadInput` when it is malformed: on this socket every message is
 * about the own account. Source: v3-gaps, sections 2.2 and 2.3.
 */
export function readTradingFrame(bytes: Uint8Array, instruments: Instruments): TradingMessage {
  const frame = parseFrame(bytes);
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) {
    throw new BadInput('v3 trading frame: expected an object');
  }
  if (!('method' in frame)) return readReply(frame);
  const params = 'params' in frame ? frame.params : undefined;
  switch (frame.method) {
    case 'spot_order':
      return readReports([params], instruments);
    case 'spot_orders':
      if (!Array.isArray(params)) throw new BadInput('v3 spot_orders: expected a list');
      return readReports(params, instruments);
    case 'spot_balance':
      return { kind: 'balances', balances: walletBalance.v3.decodeList(params) };
    default:
      return { kind: 'unknown' };
  }
}

/** The report a reply to a new or replaced order carries; `undefined` when it is about a symbol that is not ours. */
export function decodeReply(result: unknown, instruments: Instruments): DecodedReport | undefined {
  return isForeign(result, instruments) ? undefined : decodeReport('v3', result, instruments);
}

function readReports(rows: readonly unknown[], instruments: Instruments): TradingMessage {
  const own = rows.filter((row) => !isForeign(row, instruments));
  const reports = own.map((row) => decodeReport('v3', row, instruments));
  return { kind: 'reports', reports, foreign: rows.length - own.length };
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
  /** Rows of symbols that are not among ours. */
  readonly foreign: number;
}

/** Reads the body of an answered read. Throws `BadInput` naming the member that is not as expected. */
export function decodeRead(what: ReadTarget, body: unknown, instruments: Instruments): ReadRows {
  if (what.of === 'balances')
    return { orders: [], fills: [], balances: walletBalance.v3.decodeList(body), foreign: 0 };
  if (!Array.isArray(body)) throw new BadInput(`answer to a read of ${what.of}: expected a list`);
  const rows: readonly unknown[] = body;
  const own = rows.filter((row) => !isForeign(row, instruments));
  const foreign = rows.length - own.length;
  if (what.of === 'tradeHistory') {
    const fills = own.map((row) => decodeOwnTrade('v3', row, instruments));
    return { orders: [], fills, balances: [], foreign };
  }
  const orders = own.map((row) => decodeOrder('v3', row, instruments));
  return { orders, fills: [], balances: [], foreign };
}

/** Whether a row is about a symbol that is not among ours: it is traded on the same account by another program or by hand. */
export function isForeign(row: unknown, instruments: Instruments): boolean {
  if (typeof row !== 'object' || row === null || !('symbol' in row)) return false;
  return typeof row.symbol === 'string' && instruments.find(row.symbol) === undefined;
}
