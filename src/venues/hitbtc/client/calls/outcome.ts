import { decodeRestError } from '../../wire/error-bodies.ts';
import type { WireError } from '../../wire/index.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Command } from '../../../../core/model/command.ts';
import { parseFrame } from '../../wire/json.ts';

/**
 * How a request ended. `acknowledged`: yes. `refused`: a certain no. `limited`: 429, nothing was done.
 * `unknown`: silence, a reset, a 5xx, a redirect or an answer that cannot be read; a write may have been executed.
 */
export type CallOutcome = 'acknowledged' | 'refused' | 'limited' | 'unknown';

/** How a request ended, with the venue's words when there are any. */
export interface CallVerdict {
  readonly outcome: CallOutcome;
  /** The venue's error code, such as 20001; the HTTP status where the body names none; 0 for silence. */
  readonly code: number;
  readonly message: string;
  readonly description: string | undefined;
}

/** Codes that say "check later": the request may have been executed. Source: v3-gaps, section 9 (504, 22008). */
const uncertainCodes: ReadonlySet<number> = new Set([500, 503, 504, 22008]);
/** Families in which an error is a refusal. An undocumented code outside them proves nothing (faults, X15). */
const refusalFamilies = [
  [1, 1],
  [400, 404],
  [600, 999],
  [1_000, 2_999],
  [10_000, 10_999],
  [20_000, 22_999],
] as const;

/** The verdict of an HTTP answer: `status` 0 stands for none, `body` for what its JSON said. Source: API v3, "Errors". */
export function verdictOfHttp(status: number, body: unknown): CallVerdict {
  if (status === 200) {
    return body === undefined
      ? unknownVerdict(status, 'the answer cannot be read')
      : { outcome: 'acknowledged', code: 0, message: '', description: undefined };
  }
  if (status === 0) return unknownVerdict(0, 'no answer');
  const { code, message, description } = decodeRestError(body, status);
  if (status === 429 || (status === 400 && code === 429))
    return { outcome: 'limited', code, message, description };
  const refused = status >= 400 && status < 500 && isReadable(body) && !uncertainCodes.has(code);
  return { outcome: refused ? 'refused' : 'unknown', code, message, description };
}

/** The verdict of an error on a socket, where no HTTP status separates a refusal from an accident. */
export function verdictOfSocketError(error: WireError): CallVerdict {
  const { code, message, description } = error;
  if (code === 429) return { outcome: 'limited', code, message, description };
  const refused =
    !uncertainCodes.has(code) && refusalFamilies.some(([low, high]) => code >= low && code <= high);
  return { outcome: refused ? 'refused' : 'unknown', code, message, description };
}

/** No answer, and why. */
export function unknownVerdict(code: number, message: string): CallVerdict {
  return { outcome: 'unknown', code, message, description: undefined };
}

/** The venue's words for people: message and description in one line. */
export function verdictText(verdict: CallVerdict): string {
  const text = verdict.description ? `${verdict.message}: ${verdict.description}` : verdict.message;
  return text.slice(0, 300).replace(/[^\x20-\x7e]/g, '?');
}

/** Whether the body itself says what was wrong. A page of a proxy says nothing of what became of the request. */
function isReadable(body: unknown): boolean {
  const nothing = decodeRestError(undefined, 0);
  const { code, message } = decodeRestError(body, 0);
  return code !== nothing.code || (message !== nothing.message && message !== 'HTTP 0');
}

/** Nothing left: refused by ourselves before the first byte. */
export const statusUnsent = -1;
/** No answer, or none that can be read. */
export const statusSilence = 0;

/**
 * How a command ended outside the trading socket's replies, as a frame of channel `v3/rest` keeps it: an HTTP
 * answer, silence, or a command that never left.
 */
export interface CommandEnd {
  readonly commandId: number;
  readonly kind: Command['kind'];
  /** The HTTP status, `statusSilence` or `statusUnsent`. */
  readonly status: number;
  /** Wall time at which the request left. */
  readonly askedAt: Micros;
  /** Reason, where there is no body. */
  readonly why: string;
  /** There when further parts of the answer follow, each a frame of its own. */
  readonly more?: true;
  /** The venue's JSON. */
  readonly body: unknown;
}

/** The frame's text. `bodyText` is JSON as it came, or empty; it is kept digit for digit. */
export function encodeCommandEnd(answer: Omit<CommandEnd, 'body'>, bodyText: string): string {
  const head = JSON.stringify(answer);
  return bodyText === '' ? head : `${head.slice(0, -1)},"body":${bodyText}}`;
}

/** Reads such a frame. Throws `BadInput` when it is none. */
export function decodeCommandEnd(bytes: Uint8Array): CommandEnd {
  const frame = parseFrame(bytes, { length: 64 * 1024 * 1024, depth: 64 });
  if (!isAnswer(frame)) {
    throw new BadInput(
      'answer of a REST call: expected commandId, kind, status, askedAt, why and perhaps more and body',
    );
  }
  const { commandId, kind, status, askedAt, why, more, body } = frame;
  return { commandId, kind, status, askedAt, why, ...(more === true && { more }), body };
}

function isAnswer(frame: unknown): frame is CommandEnd {
  if (typeof frame !== 'object' || frame === null) return false;
  const { commandId, kind, status, askedAt, why } = frame as Readonly<Record<keyof CommandEnd, unknown>>;
  return (
    Number.isSafeInteger(commandId) &&
    Number.isSafeInteger(askedAt) &&
    typeof why === 'string' &&
    Number.isSafeInteger(status) &&
    (status as number) >= statusUnsent &&
    kinds.some((known) => known === kind)
  );
}

const kinds: readonly Command['kind'][] = [
  'newOrder',
  'newOrderList',
  'cancelOrder',
  'cancelOrders',
  'replaceOrder',
  'changeMargin',
  'read',
];
