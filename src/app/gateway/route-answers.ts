import { fail } from '../../core/base/assert.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { Product } from '../../core/model/product.ts';
import { averagePrice, instrumentOf, Refusal } from '../../exchange/base/index.ts';
import type { RouteCall } from '../../exchange/http/index.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import { encodeOrder } from '../../venues/hitbtc/wire/resources/index.ts';
import type { MarketDesk } from './market-desk.ts';
import type { ProgramDesk } from './desk.ts';
import { listMarkOf, marginMembersOf, programOrder } from './shown-orders.ts';
import type { Upstream } from './upstream.ts';
import type { UsedSignatures } from './used-signatures.ts';
import type { VenueKnownOrder } from './waits.ts';

export interface GatewayRoutesDeps {
  /** The desk of the program of that name. */
  readonly desk: (program: string) => ProgramDesk;
  readonly signatures: UsedSignatures;
  /** Way to the venue's own reads; without one nothing is passed on. */
  readonly upstream: Upstream | undefined;
  readonly market: MarketDesk;
}

/** The program of the key: there is one wherever a route needs a key. */
export function programOfCall({ account, request }: RouteCall): string {
  return account?.name ?? fail('a route ran without a program', { path: request.path });
}

/** The instrument of a symbol of a product; the symbol may be left out. */
export function named(
  desk: ProgramDesk,
  product: Product,
  symbol: string | undefined,
): Instrument | undefined | Refusal {
  const state = desk.stateOf(product);
  if (state instanceof Refusal || symbol === undefined) return state instanceof Refusal ? state : undefined;
  return instrumentOf(state.instruments, product, symbol);
}

/** An order as the answer to a request for it, or why there is none. */
export function answered(
  desk: ProgramDesk,
  answer: VenueKnownOrder | Refusal,
  version: WireVersion = 'v3',
): object {
  return answer instanceof Refusal ? answer : wireOrder(desk, answer, version);
}

/** The same for several orders. */
export function ordersAnswered(
  desk: ProgramDesk,
  answer: readonly VenueKnownOrder[] | Refusal,
  version: WireVersion = 'v3',
): object {
  return answer instanceof Refusal ? answer : answer.map((order) => wireOrder(desk, order, version));
}

/** The orders of a list that was placed. Answers to lists never carry the executions. Source: API v3, "Spot order", trades. */
export function listAnswered(
  desk: ProgramDesk,
  answer: readonly VenueKnownOrder[] | Refusal,
): readonly object[] | Refusal {
  return answer instanceof Refusal ? answer : answer.map((order) => wireOrder(desk, order, 'v3', true));
}

/** An order as the documents show it, with the executions that were seen of it unless it was placed in a list. */
function wireOrder(
  desk: ProgramDesk,
  order: VenueKnownOrder,
  version: WireVersion,
  isListed = false,
): object {
  const { state } = desk;
  if (state instanceof Refusal) return state;
  const instrument = state.instruments.at(order.instrument);
  const fills = desk.fills(order.clientOrderId);
  const extras = {
    ...(version === 'v3' && {
      averagePrice: averagePrice(instrument, fills),
      list: listMarkOf(order, state),
    }),
    ...(isListed || fills.length === 0 ? {} : { fills }),
  };
  const encoded = encodeOrder(version, programOrder(order, state), instrument, extras);
  return version === 'v2' ? encoded : { ...encoded, ...marginMembersOf(order, state) };
}
