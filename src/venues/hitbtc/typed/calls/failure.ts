import type { Micros } from '../../../../core/base/clock.ts';
import { microsPerMilli } from '../../../../core/base/clock.ts';
import { GodwitError } from '../../../../core/base/errors.ts';
import type { CallVerdict } from '../../client/index.ts';
import { verdictText } from '../../client/index.ts';
import type { DenialReason } from './denials.ts';

/**
 * Why a call gave no value. `outcome` says whether it is known what became of it: `unknown` alone leaves a write to
 * be found out by reading. Source: API v3, "Errors"; API v2, "Errors".
 */
export type CallFailure =
  /** Refused by this client: a rule of the documents was broken, and nothing left. */
  | Failure<'denied', DenialReason, 'known'>
  /** Given up before a byte left: aborted, closed, or too much waiting. */
  | Failure<'unsent', 'UNSENT', 'known'>
  /** The venue said no, with a code of the documents. */
  | Failure<'refused', number, 'known'>
  /** 429: nothing was done. */
  | Failure<'limited', number, 'known'>
  /** Silence, a lost connection, 500, 503, 504 or an answer that cannot be read: a write may have been executed. */
  | Failure<'unknown', number, 'unknown'>
  /** Carried out, but the answer is not as documented. */
  | Failure<'unreadable', 'UNREADABLE', 'known'>;

interface Failure<Kind extends string, Code, Outcome extends 'known' | 'unknown'> {
  readonly kind: Kind;
  /** The venue's code, such as 20001, or one of ours. */
  readonly code: Code;
  /** HTTP status; 0 when there was none, as on sockets. */
  readonly status: number;
  readonly message: string;
  readonly description: string | undefined;
  /** Pause in milliseconds that the venue asks for before the next call, where it asks for one. */
  readonly retryAfterMs?: number | undefined;
  readonly outcome: Outcome;
}

/** A call gave no value; `failure` says why. */
export class CallFailed extends GodwitError {
  override readonly code = 'GW_CALL_FAILED';
  readonly failure: CallFailure;

  constructor(what: string, failure: CallFailure) {
    const words = failure.description ? `${failure.message}: ${failure.description}` : failure.message;
    super(`${what}: ${failure.kind} ${failure.code}${words === '' ? '' : `, ${words.slice(0, 300)}`}`);
    this.failure = failure;
  }
}

/** A value, or why there is none. */
export type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: CallFailure };

/** A call as a value instead of an exception: `const done = await attempt(client.v3.spot.createOrder(order))`. */
export async function attempt<Value>(call: Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof CallFailed) return { ok: false, failure: error.failure };
    throw error;
  }
}

/** The failure of a call of ours that broke a rule. */
export function callDenied(what: string, code: DenialReason, why: string): CallFailed {
  return new CallFailed(what, {
    kind: 'denied',
    code,
    status: 0,
    message: why,
    description: undefined,
    outcome: 'known',
  });
}

export function unsent(what: string, why: string): CallFailed {
  return new CallFailed(what, {
    kind: 'unsent',
    code: 'UNSENT',
    status: 0,
    message: why,
    description: undefined,
    outcome: 'known',
  });
}

export function unreadable(what: string, why: string, status: number): CallFailed {
  return new CallFailed(what, {
    kind: 'unreadable',
    code: 'UNREADABLE',
    status,
    message: why,
    description: undefined,
    outcome: 'known',
  });
}

/** The failure that a verdict describes; it must not be an acknowledgement. */
export function failedBy(
  what: string,
  verdict: CallVerdict,
  status: number,
  retryAfter?: Micros,
): CallFailed {
  const { code, message, description } = verdict;
  const waits = retryAfter === undefined ? {} : { retryAfterMs: retryAfter / microsPerMilli };
  const common = { code, status, message, description, ...waits };
  switch (verdict.outcome) {
    case 'refused':
      return new CallFailed(what, { kind: 'refused', ...common, outcome: 'known' });
    case 'limited':
      return new CallFailed(what, { kind: 'limited', ...common, outcome: 'known' });
    case 'unknown':
      return new CallFailed(what, { kind: 'unknown', ...common, outcome: 'unknown' });
    case 'acknowledged':
      return unreadable(what, verdictText(verdict), status);
  }
}
