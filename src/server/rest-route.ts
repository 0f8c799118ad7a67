import { fail } from '../base/assert.ts';
import type { AccountId } from '../matching/command.ts';
import { readParams } from '../wire/param-fields.ts';
import type { Account } from './accounts.ts';
import type { Right } from './options.ts';
import type { ParamSchema } from './param-schema.ts';
import { Refusal } from './refusal.ts';
import type { RestRequest } from './rest-request.ts';

/** One call being answered: the parameters are still in their outer form. */
export interface RestCall {
  readonly request: RestRequest;
  /** Whoever asks; undefined on public paths. */
  readonly account: Account | undefined;
  readonly parameters: unknown;
}

/** An endpoint: what it needs, and what it answers (JSON text). */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters as `:name`. */
  readonly path: string;
  /** `open` needs no key, `key` any key. */
  readonly right: Right | 'open' | 'key';
  readonly changesOrders?: boolean;
  run(call: RestCall): string | Refusal;
}

/** A route whose parameters are read by a schema of the wire before it runs. */
export function withRestParams<Params>(
  schema: ParamSchema<Params>,
  run: (params: Params, call: RestCall) => string | object | Refusal,
): RestRoute['run'] {
  return (call) => {
    const read = readParams(schema, call.parameters);
    if (!read.ok) return new Refusal(read.error);
    const result = run(read.params, call);
    return typeof result === 'string' || result instanceof Refusal ? result : JSON.stringify(result);
  };
}

/** The account a call is made for: there is one wherever a route needs a key. */
export function accountOf(call: RestCall): AccountId {
  return call.account?.id ?? fail('a route ran without an account', { path: call.request.path });
}
