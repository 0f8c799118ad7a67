import { BadInput } from '../../core/base/errors.ts';
import type { ClientOrderId } from '../../core/model/order.ts';
import type { Product } from '../../core/model/product.ts';
import { Refusal, refuse } from '../../exchange/base/index.ts';
import type { RestRequest } from '../../exchange/http/index.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import { parseLossless } from '../../venues/hitbtc/wire/index.ts';
import { notServed } from './denials.ts';
import type { ProgramDesk } from './desk.ts';
import type { Upstream } from './upstream.ts';

/** Members of a row of a history that name orders, and the parameter that asks for one. */
const members = {
  v3: { id: 'client_order_id', original: 'original_client_order_id' },
  v2: { id: 'clientOrderId', original: 'originalRequestClientOrderId' },
} as const;
type HistoryRow = Readonly<Record<string, unknown>>;

export interface HistoryAsked {
  readonly desk: ProgramDesk;
  readonly upstream: Upstream | undefined;
  readonly version: WireVersion;
  readonly product: Product;
  /** The order that is asked for, as the program knows it. */
  readonly name?: string | undefined;
}

/**
 * A history of the account, as the venue has it, without the rows of others: orders and trades of this program alone, under the ids that
 * it knows.
 */
export async function ownHistory(
  { path, query }: Pick<RestRequest, 'path' | 'query'>,
  { desk, upstream, version, product, name }: HistoryAsked,
): Promise<readonly object[] | Refusal> {
  if (upstream?.isSigned !== true)
    return notServed(`The gateway does not serve GET ${path} without an account at a venue of this API`);
  const state = desk.stateOf(product);
  if (state instanceof Refusal) return state;
  const { id, original } = members[version];
  const asked = new URLSearchParams(query);
  if (name !== undefined) asked.set(id, desk.orders.find(state, product, name)?.clientOrderId ?? name);
  const text = await upstream.read(path, asked.toString(), true);
  if (text instanceof Refusal) return text;
  const rows = rowsOf(text);
  if (rows === undefined) return refuse(504);
  const nameOf = (one: unknown): string => state.order(String(one) as ClientOrderId)?.alias ?? String(one);
  return rows
    .filter((row) => desk.owns(String(row[id])))
    .map((row) => ({
      ...row,
      [id]: nameOf(row[id]),
      ...(typeof row[original] === 'string' && { [original]: nameOf(row[original]) }),
    }));
}

/** The rows of an answer; `undefined` for what is no list of them. */
function rowsOf(text: string): readonly HistoryRow[] | undefined {
  try {
    const rows = parseLossless(text);
    return Array.isArray(rows) && rows.every(isRow) ? rows : undefined;
  } catch (error) {
    if (error instanceof BadInput) return undefined;
    throw error;
  }
}

function isRow(row: unknown): row is HistoryRow {
  return typeof row === 'object' && row !== null;
}
