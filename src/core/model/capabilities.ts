import type { ContingencyType } from './order-list.ts';
import { contingencyTypes } from './order-list.ts';

/** Client order ids that a venue takes. Ids of ours are always 8 to 32 of `A-Za-z0-9_-`; a venue may take fewer of them. */
export interface ClientOrderIdShape {
  readonly pattern: RegExp;
  readonly lengthMax: number;
  /** The shape in words, for denials: `8 to 32 of A-Za-z0-9_-`. */
  readonly text: string;
}

/** How long a venue's answers may lag behind what happened there; defaults of `orders.reconcile`. Milliseconds. */
export interface EvidenceWindows {
  /** The second read that proves an order absent begins this long after it was sent. */
  readonly absentMs: number;
  /** An order that ended counts as alive when two lists this far apart show it. */
  readonly aliveMs: number;
  /** Trades are read again this far back. */
  readonly marginMs: number;
}

/** Abilities of a venue. An intent that needs more is denied with a code before anything is sent. */
export interface Capabilities {
  /** Kinds of order lists the venue places as one; empty: no lists. */
  readonly orderLists: readonly ContingencyType[];
  /** Whether a live order can be replaced in one command. */
  readonly replace: boolean;
  /** Whether one request cancels all orders of a symbol, or of a product. */
  readonly cancelAll: boolean;
  /** Whether transfers of the wallets can be read; not where left out. */
  readonly transfers?: boolean;
  /** Whether a book can be read beside its stream, and fetched anew on demand; not where left out. */
  readonly bookReads?: boolean;
  /** Whether symbols can be traded on margin. */
  readonly margin: boolean;
  /** The times for which a switch of the venue, which cancels all orders of the account unless it is renewed, can be armed; absent where it has none. */
  readonly keepAlive?: { readonly msMin: number; readonly msMax: number };
  readonly clientOrderId: ClientOrderIdShape;
  /** The smallest price times quantity of one order, by quote currency; a plain decimal. */
  readonly minimumNotional: Readonly<Record<string, string>>;
  /** The currency fees of spot trades are charged in. */
  readonly feeCurrency: 'quote' | 'base';
  readonly evidence: EvidenceWindows;
  /** The most open orders that the venue allows; absent where it does not tell. */
  readonly openOrdersMax?: { readonly account: number; readonly symbol: number };
}

/** A venue that can do all that Godwit can ask for. What a trader assumes when its venue does not say. */
export const fullCapabilities: Capabilities = {
  orderLists: contingencyTypes,
  replace: true,
  cancelAll: true,
  margin: true,
  clientOrderId: { pattern: /^[A-Za-z0-9_-]{8,32}$/, lengthMax: 32, text: '8 to 32 of A-Za-z0-9_-' },
  minimumNotional: {},
  feeCurrency: 'quote',
  evidence: { absentMs: 90_000, aliveMs: 5_000, marginMs: 120_000 },
};
