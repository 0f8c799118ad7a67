import type { Micros } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Command } from '../../../../core/model/command.ts';
import { parseFrame } from '../../wire/json.ts';

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
      'answer of a REST call: expected commandId, kind, status, askedAt, why and perhaps body',
    );
  }
  const { commandId, kind, status, askedAt, why } = frame;
  return { commandId, kind, status, askedAt, why, body: frame.body };
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
