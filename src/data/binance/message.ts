import type { Members } from '../../core/base/members.ts';
import { isMembers } from '../../core/base/members.ts';

/** Kinds of messages that are read of Binance's streams. */
export type BinanceKind = 'depth' | 'trade' | 'top' | 'snapshot';

/** A message: one that is read with its members, or one that is not under the name it is counted by. */
export type BinanceMessage =
  | { readonly kind: BinanceKind; readonly body: Members }
  | { readonly kind: 'other'; readonly name: string };

/** Streams of the best 5, 10 or 20 levels: each message is a piece of a book, in the form of a difference or of a REST reply. */
export const partialDepth = /@(depth\d+)(?:@|"|$)/;

/**
 * Message of a parsed line. Messages of combined streams carry theirs in `data`. Whatever is none of the kinds that are read is
 * `other`: other streams, answers to subscriptions, lists.
 */
export function messageOf(message: Members): BinanceMessage {
  const { stream, data } = message;
  const partial = typeof stream === 'string' ? partialDepth.exec(stream)?.[1] : undefined;
  if (partial !== undefined) return { kind: 'other', name: partial };
  const body = isMembers(data) ? data : message;
  const kind = kindOf(body);
  return kind === undefined ? { kind: 'other', name: nameOf(message, body) } : { kind, body };
}

function kindOf(body: Members): BinanceKind | undefined {
  const { e } = body;
  if (e === 'depthUpdate') return 'depth';
  if (e === 'trade') return 'trade';
  if (e === 'bookTicker' || (e === undefined && body['B'] !== undefined)) return 'top';
  return e === undefined && typeof body['lastUpdateId'] === 'number' ? 'snapshot' : undefined;
}

function nameOf({ stream, result, error, id }: Members, { e }: Members): string {
  if (typeof e === 'string') return e;
  if (typeof stream === 'string') return stream.slice(stream.indexOf('@') + 1);
  const isAnswer = id !== undefined && (result !== undefined || error !== undefined);
  return isAnswer ? 'answers to requests' : 'unknown';
}

/** Whether a trade is an execution of the book: spot names no kind, futures print others, such as INSURANCE_FUND. */
export function isOfBook(trade: { readonly X?: unknown }): boolean {
  return trade.X === undefined || trade.X === 'MARKET';
}

/** Names counted apart; whatever comes after them counts as `more`. */
const namesMax = 20;

/** Counts what Binance raw files hold and is not read. */
export class LeftOut {
  readonly #messages = new Map<string, number>();
  readonly #trades = new Map<string, number>();

  /** A message of another stream. */
  message(name: string): void {
    count(this.#messages, name);
  }

  /** A trade that is no execution of the book, by its `X`. */
  trade(kind: unknown): void {
    count(this.#trades, String(kind));
  }

  /** One sentence each for messages and trades; none where nothing was left out. */
  sentences(): readonly string[] {
    return [
      ...sentence(this.#messages, 'messages of other streams were left out'),
      ...sentence(this.#trades, 'trades were left out, because they did not execute against the book'),
    ];
  }
}

function count(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < namesMax ? name.slice(0, 40) : 'more';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sentence(counts: ReadonlyMap<string, number>, what: string): readonly string[] {
  if (counts.size === 0) return [];
  const sum = [...counts.values()].reduce((all, one) => all + one, 0);
  return [`${sum} ${what}: ${[...counts].map(([name, one]) => `${one} ${name}`).join(', ')}`];
}
