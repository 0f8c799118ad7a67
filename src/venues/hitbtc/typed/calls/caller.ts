import type { Clock } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { PathBudgets, RateRow } from '../../budgets/path.ts';
import type { Lane } from '../../../../core/model/command.ts';
import type { Asked, Endpoint } from '../../wire/index.ts';
import { limitOf, v2Limits, v3Limits, readRequestParams } from '../../wire/index.ts';
import { callOf } from '../../client/index.ts';
import type { ApiCall, ApiVersion, RestClient, RestReply } from '../../client/index.ts';
import { callDenied, failedBy, unreadable, unsent } from './failure.ts';
import { wireParams } from './input.ts';
import type { RowReader } from './rows.ts';
import { TypedTurn } from './turns.ts';

/** Options that a caller may add to any call. */
export interface CallOptions {
  /** Gives the call up: before it left it ends `unsent`, after that `unknown`. */
  readonly signal?: AbortSignal;
}

export interface TypedCallerDeps {
  readonly version: ApiVersion;
  readonly rest: RestClient;
  readonly clock: Clock;
  readonly budgets: PathBudgets;
  readonly hasCredentials: boolean;
  readonly rows: RowReader;
  /** Calls that wait for their turn or their answer at most. */
  readonly callsMax: number;
}

/** One row of a table, by its name. */
export interface TypedRow<Value> {
  readonly name: string;
  readonly row: Endpoint<unknown, Value>;
}

/**
 * Makes calls of rows of the wire tables: parameters are read by the row's own schema before anything leaves, the
 * answer by its reader. Reads are repeated after silence, 429 and 503 with jittered pauses; writes are sent once.
 */
export class TypedCaller {
  readonly #setup: TypedCallerDeps;
  #calls = 0;

  constructor(setup: TypedCallerDeps) {
    this.#setup = setup;
  }

  /** Rejects with `CallFailed`. */
  async call<Value>(typed: TypedRow<Value>, params: object, options: CallOptions = {}): Promise<Value> {
    const { name, row } = typed;
    const { rest, hasCredentials, callsMax } = this.#setup;
    const signed = row.right !== 'none';
    const wire = wireParams(params, this.#setup.version === 'v3' ? 'snake' : 'camel');
    const checked = readRequestParams(row.params, wire);
    if (!checked.ok) throw callDenied(name, 'PARAMETER_INVALID', wordsOf(checked.error));
    if (signed && !hasCredentials) {
      throw callDenied(name, 'CREDENTIALS_MISSING', `expected credentials with ${rightText(row.right)}`);
    }
    if (this.#calls >= callsMax) throw unsent(name, `more than ${callsMax} calls wait`);
    const { call: base, asked } = callOf(row, wire, this.#setup.version);
    const call = options.signal === undefined ? base : { ...base, signal: options.signal };
    const turn = this.#turnOf(row, call, options.signal);
    this.#calls += 1;
    try {
      if (!(await turn.enter())) throw unsent(name, 'given up before it left');
      const reply = row.method === 'GET' ? await rest.read(call, turn) : await rest.send(call);
      turn.leave(reply.verdict.outcome === 'limited');
      return valueOf(name, reply, (body) => this.#read(typed, body, asked));
    } finally {
      turn.leave(false);
      this.#calls -= 1;
    }
  }

  /** The answer to a new list of orders is read whole: its rows stand in the order of the request. */
  #read<Value>(typed: TypedRow<Value>, body: unknown, asked: Asked): Value {
    const { name, row } = typed;
    if (row.method === 'POST') return row.answer(body, asked);
    return this.#setup.rows.read(name, body, (json) => row.answer(json, asked));
  }

  #turnOf(row: Endpoint, call: ApiCall, signal: AbortSignal | undefined): TypedTurn {
    const { budgets, clock, version } = this.#setup;
    const table = version === 'v3' ? v3Limits : v2Limits;
    const perAddress = limitOf(table, 'address', 'rest', call.path);
    const perAccount = call.signed ? limitOf(table, 'account', 'rest', call.path) : undefined;
    const rows: RateRow[] = [perAddress, perAccount].filter((found) => found !== undefined);
    return new TypedTurn({ budgets, clock, rows, lane: laneOf(row), signal });
  }
}

function valueOf<Value>(name: string, reply: RestReply, read: (body: unknown) => Value): Value {
  const { verdict, status, retryAfter } = reply;
  if (reply.unsent) throw unsent(name, verdict.message);
  if (verdict.outcome !== 'acknowledged') throw failedBy(name, verdict, status, retryAfter);
  try {
    return read(reply.body);
  } catch (error) {
    if (error instanceof BadInput) throw unreadable(name, error.message, status);
    throw error;
  }
}

function laneOf(row: Endpoint): Lane {
  switch (row.method) {
    case 'GET':
      return 'read';
    case 'DELETE':
      return 'cancel';
    case 'PATCH':
      return 'replace';
    default:
      return 'new';
  }
}

function wordsOf(error: { readonly message: string; readonly description: string | undefined }): string {
  return error.description ? `${error.message}: ${error.description}` : error.message;
}

function rightText(right: Endpoint['right']): string {
  return right === 'key' ? 'any right' : `right ${right}`;
}
