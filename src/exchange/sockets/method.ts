import { noParams, readRequestParams } from '../../venues/hitbtc/wire/index.ts';
import type { SocketMethod } from '../../venues/hitbtc/wire/index.ts';
import type { V2MethodName, V2MethodParams } from '../../venues/hitbtc/wire/v2/index.ts';
import { v2Methods } from '../../venues/hitbtc/wire/v2/index.ts';
import type { V3MethodName, V3MethodParams } from '../../venues/hitbtc/wire/v3/index.ts';
import { v3Methods } from '../../venues/hitbtc/wire/v3/index.ts';
import { Refusal } from '../base/index.ts';
import type { RpcCall, RpcMethod, RpcOutcome } from './rpc-session.ts';

/** Several replies to one request, each a result of its own. */
export class Replies {
  readonly results: readonly object[];

  constructor(results: readonly object[]) {
    this.results = results;
  }
}

/** What a method answers: JSON text, a value to be made into it, several of them, or why not. */
export type MethodResult = string | object | Refusal | Replies;
/** The same, or a promise of it. */
type Result = MethodResult | Promise<MethodResult>;

/** What happens after the reply has been sent: first snapshots. */
type After = RpcMethod['after'];

/** A method of a v3 socket by its name in the wire's table: its right and parameters are the row's. */
export function v3Method<Name extends V3MethodName>(
  name: Name,
  run: (params: V3MethodParams<Name>, call: RpcCall) => Result,
  after?: After,
): [name: string, method: RpcMethod] {
  return [name, methodOf(v3Methods[name] as SocketMethod<V3MethodParams<Name>>, run, after)];
}

/** A method of a v2 socket by its name in the wire's table. */
export function v2Method<Name extends V2MethodName>(
  name: Name,
  run: (params: V2MethodParams<Name>, call: RpcCall) => Result,
  after?: After,
): [name: string, method: RpcMethod] {
  return [name, methodOf(v2Methods[name] as SocketMethod<V2MethodParams<Name>>, run, after)];
}

function methodOf<Params>(
  row: SocketMethod<Params>,
  run: (params: Params, call: RpcCall) => Result,
  after: After,
): RpcMethod {
  // What a method without parameters is sent is passed over, whatever it is.
  const takesNone = (row.params as unknown) === noParams;
  return {
    right: row.right,
    changesOrders: row.changesOrders === true,
    run(call) {
      if (takesNone) return resultOf(run({} as Params, call));
      const read = readRequestParams(row.params, call.request.params);
      return read.ok ? resultOf(run(read.params, call)) : new Refusal(read.error);
    },
    ...(after !== undefined && { after }),
  };
}

function resultOf(result: Result): RpcOutcome | Promise<RpcOutcome> {
  return result instanceof Promise ? result.then(textsOf) : textsOf(result);
}

function textsOf(result: MethodResult): RpcOutcome {
  if (typeof result === 'string' || result instanceof Refusal) return result;
  if (result instanceof Replies) return result.results.map((each) => JSON.stringify(each));
  return JSON.stringify(result);
}
