/** What a market data frame says of one book. */
export interface BookFrame {
  readonly isSnapshot: boolean;
  readonly symbol: string;
  readonly sequence: number;
  /** The venue's stamp, milliseconds. */
  readonly timeMs: number;
}

type Sides = Record<'b' | 'a', [string, string][]> & { readonly s: number; readonly t: number };
type V3 = Partial<Record<'snapshot' | 'update', Record<string, Sides>>>;
type Levels = { readonly price: string; readonly size: string }[];
interface V2 {
  readonly method: string;
  readonly params: {
    ask: Levels;
    bid: Levels;
    readonly symbol: string;
    readonly sequence: number;
    readonly timestamp: string;
  };
}

const v3Book = '{"ch":"orderbook/full"';
const v3Update = '{"ch":"orderbook/full","update"';
const v2Snapshot = '{"jsonrpc":"2.0","method":"snapshotOrderbook"';
const v2Update = '{"jsonrpc":"2.0","method":"updateOrderbook"';

/** Whether a frame changes books, in either version of the interface. */
export function isBookUpdate(text: string): boolean {
  return text.startsWith(v3Update) || text.startsWith(v2Update);
}

/** The books of a frame, snapshots first; none where it is about something else. */
export function bookFrames(text: string): readonly BookFrame[] {
  if (text.startsWith(v2Snapshot) || text.startsWith(v2Update)) {
    const { symbol, sequence, timestamp } = (JSON.parse(text) as V2).params;
    return [{ isSnapshot: text.startsWith(v2Snapshot), symbol, sequence, timeMs: Date.parse(timestamp) }];
  }
  if (!text.startsWith(v3Book)) return [];
  const frame = JSON.parse(text) as V3;
  return (['snapshot', 'update'] as const).flatMap((kind) =>
    Object.entries(frame[kind] ?? {}).map(([symbol, { s, t }]) => ({
      isSnapshot: kind === 'snapshot',
      symbol,
      sequence: s,
      timeMs: t,
    })),
  );
}

/** An update without the levels of a symbol that are gone, and its sequence; `undefined` where there are none. */
export function withoutDeletions(
  text: string,
  symbol: string,
): { readonly text: string; readonly sequence: number } | undefined {
  if (!isBookUpdate(text) || !text.includes(`"${symbol}"`)) return undefined;
  if (text.startsWith(v2Update)) {
    const frame = JSON.parse(text) as V2;
    const { params } = frame;
    const count = params.ask.length + params.bid.length;
    for (const side of ['ask', 'bid'] as const)
      params[side] = params[side].filter(({ size }) => Number(size) !== 0);
    if (params.ask.length + params.bid.length === count) return undefined;
    return { text: JSON.stringify(frame), sequence: params.sequence };
  }
  const frame = JSON.parse(text) as V3;
  const sides = frame.update?.[symbol];
  if (sides === undefined) return undefined;
  const count = sides.a.length + sides.b.length;
  for (const side of ['b', 'a'] as const)
    sides[side] = sides[side].filter(([, quantity]) => Number(quantity) !== 0);
  if (sides.a.length + sides.b.length === count) return undefined;
  return { text: JSON.stringify(frame), sequence: sides.s };
}

/** An update with a bid far above every ask. */
export function crossedUpdate(text: string, symbol: string): string {
  if (text.startsWith(v2Update)) {
    const frame = JSON.parse(text) as V2;
    frame.params.bid.unshift({ price: '99999.00', size: '1.0000' });
    return JSON.stringify(frame);
  }
  const frame = JSON.parse(text) as V3;
  frame.update?.[symbol]?.b.unshift(['99999.00', '1.0000']);
  return JSON.stringify(frame);
}

/** The symbols of a request for books, or for their end, and its id; `undefined` where it is another request. */
export function bookRequest(
  text: string,
  verb: 'subscribe' | 'unsubscribe',
): { readonly symbols: readonly string[]; readonly id: number | string } | undefined {
  const isV2 = text.startsWith(`{"method":"${verb}Orderbook"`);
  if (!isV2 && !text.startsWith(`{"method":"${verb}","ch":"orderbook/full"`)) return undefined;
  const { id, params } = JSON.parse(text) as {
    readonly id: number | string;
    readonly params: { readonly symbols?: readonly string[]; readonly symbol?: string };
  };
  return { id, symbols: params.symbols ?? [params.symbol ?? ''] };
}
