import { BadInput } from '../../core/base/errors.ts';
import { NumberText } from '../../core/base/number-text.ts';
import type { MarketEvent } from '../../core/model/event.ts';

// The layout of one block of an event pack, shared by its writer and its reader.
//
// block    levels in all, then messages
// message  instrument * 8 + kind | receive time (difference to the message before) | exchange time (difference to the
//          receive time) | body
// book     sequence (difference, per instrument) | runs | per run: count * 2 + side | per level: price (difference,
//          per instrument and side), lots
// orders   see pack-orders.ts; only in packs of version 2
//
// All differences start from 0 in every block (times from the base of the block), so that blocks stand alone.

/** Kinds of messages by number; candles and contracts are kept as JSON. */
export const packKinds = [
  'bookSnapshot',
  'bookUpdate',
  'bookStale',
  'trades',
  'ticker',
  'candles',
  'contractInfo',
] as const;
export type PackKind = (typeof packKinds)[number];

export const staleReasons = [
  'gap',
  'disconnected',
  'silent',
  'malformed',
  'refused',
  'late',
  'crossed',
  'differs',
] as const;

/** Flags of one trade. */
export const tradeSells = 1;
export const tradeIdIsText = 2;
export const tradeHasTime = 4;

/** Bases that differences of one instrument start from. */
export class PackBases {
  sequence = 0;
  /** Prices by side: 0 bid, 1 ask. */
  readonly price = [0, 0];
  tradeId = 0;
  readonly tradeIdText = new NumberText();
  tradePrice = 0;
  readonly tickerPrice = [0, 0];
  order = 0;
  /** Prices of orders by side. */
  readonly orderPrice = [0, 0];
}

/** The bases of all instruments, made when first needed. */
export class PackState {
  readonly #bases: PackBases[] = [];

  of(instrument: number): PackBases {
    return (this.#bases[instrument] ??= new PackBases());
  }
}

/** Whether an event can be packed: market data of the market, nothing else. */
export function isPackable(event: { readonly kind: string }): event is MarketEvent {
  return (packKinds as readonly string[]).includes(event.kind);
}

/** The kind behind a number. Throws `BadInput` when there is none. */
export function packKindOf(code: number): PackKind {
  const kind = packKinds[code];
  if (kind === undefined)
    throw new BadInput(`expected a kind of message from 0 to ${packKinds.length - 1}, found ${code}`);
  return kind;
}
