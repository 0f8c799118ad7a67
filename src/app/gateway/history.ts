import { BadInput } from '../../core/base/errors.ts';
import type { ClientOrderId } from '../../core/model/order.ts';
import { Refusal, refuse } from '../../exchange/base/index.ts';
import type { RestRequest } from '../../exchange/http/index.ts';
import { parseLossless } from '../../venues/hitbtc/wire/index.ts';
import { notServed } from './denials.ts';
import type { ProgramDesk } from './desk.ts';
import type { Upstream } from './upstream.ts';

const root = '/api/3';

/** Members of a row of a history that name orders. */
interface HistoryRow {
  readonly client_order_id: string;
  readonly original_client_order_id?: string;
}

/**
 * A history of the account, as the venue has it, without the rows of others: orders and trades of this program alone, under the ids that
 * it knows. `name`: the order that is asked for.
 */
export async function ownHistory(
  { path, query }: Pick<RestRequest, 'path' | 'query'>,
  { desk, upstream, name }: { desk: ProgramDesk; upstream: Upstream | undefined; name?: string | undefined },
): Promise<readonly object[] | Refusal> {
  if (upstream?.isSigned !== true)
    return notServed(`The gateway does not serve GET ${path} without an account at a venue of this API`);
  const { state } = desk;
  if (state instanceof Refusal) return state;
  const asked = new URLSearchParams(query);
  if (name !== undefined) asked.set('client_order_id', desk.find(state, name)?.clientOrderId ?? name);
  const text = await upstream.read(path.slice(root.length), asked.toString(), true);
  if (text instanceof Refusal) return text;
  const rows = rowsOf(text);
  if (rows === undefined) return refuse(504);
  const nameOf = (id: string): string => state.order(id as ClientOrderId)?.alias ?? id;
  return rows
    .filter((row) => desk.owns(row.client_order_id))
    .map((row) => ({
      ...row,
      client_order_id: nameOf(row.client_order_id),
      ...(row.original_client_order_id !== undefined && {
        original_client_order_id: nameOf(row.original_client_order_id),
      }),
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
  return (
    typeof row === 'object' &&
    row !== null &&
    'client_order_id' in row &&
    typeof row.client_order_id === 'string'
  );
}
