import { z } from 'zod';
import { BadInput } from '../../../core/base/errors.ts';
import { amountField, parseWith } from './fields.ts';
import { reads, sentTo } from './sent.ts';

// Answers of one member, of either version. Source: v3-gaps, section 6; API v2, "Account management"; API v3, "Sub-accounts".

/** Reads the member `name` of an answer. Throws `BadInput` naming it. */
function memberOf<Value>(name: string, field: z.ZodType<Value>): (json: unknown) => Value {
  const schema = z.object({ [name]: field });
  return reads(
    (json: unknown) => parseWith(schema, json, name)[name] as Value,
    () => schema,
  );
}

const id = z.string().min(1).max(80);

/** `{result: Boolean}`: whether it is so, or was done. */
export const readFlag = memberOf('result', z.boolean());
/** `{id}`: what was made. */
export const readMadeId = memberOf('id', id);
/** `{result: String}`: the id of a transaction. */
export const readResultId = memberOf('result', id);
/** `{result: []String}`: ids of transactions. */
export const readResultIds = memberOf('result', z.array(id).max(100));
/** `{fee}`: what a withdrawal would cost. */
export const readFee = memberOf('fee', amountField);
/** `{hash}`: changes when any withdrawal fee does. */
export const readFeesHash = memberOf('hash', z.string().min(1).max(200));

/** The id of a transfer: a list with one id, or `{id}`; live hosts send the former. Source: v3-gaps, section 6. */
export const readTransferId = reads(readEitherId, () => z.array(id).min(1).max(1));

function readEitherId(json: unknown): string {
  if (!Array.isArray(json)) return readMadeId(json);
  if (json.length === 1 && typeof json[0] === 'string') return json[0];
  throw new BadInput('transfer: expected a list with one id');
}

const result = memberOf('result', z.unknown());

/** Reads what `{result}` wraps. */
export function resultOf<Value>(read: (json: unknown) => Value): (json: unknown) => Value {
  return reads(
    (json: unknown) => read(result(json)),
    () => z.object({ result: sentTo(read) }),
  );
}
