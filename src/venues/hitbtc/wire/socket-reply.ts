import { z } from 'zod';
import type { WireError } from './errors.ts';
import { issueText, nameField } from './fields.ts';
import type { DecodeResult, MarketSink, SocketId } from './market-sink.ts';
import { decoded, malformed } from './market-sink.ts';

const replyFrame = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string(), description: z.string().nullish() }).optional(),
  id: z.union([z.string(), z.number()]).nullish(),
});
const subscriptionResult = z.object({ ch: z.string(), subscriptions: z.array(nameField) });

/** The answer to a request on any socket of either version. */
export interface Answer {
  readonly id: SocketId | undefined;
  readonly result: unknown;
  readonly error: WireError | undefined;
}

/** A frame with `result` or `error` as an answer; a sentence saying what is wrong when it is none. */
export function readAnswer(frame: object): Answer | string {
  const read = replyFrame.safeParse(frame);
  if (!read.success) return issueText(read.error);
  const { result, error, id } = read.data;
  if ((result === undefined) === (error === undefined)) return 'expected exactly one of result, error';
  return {
    id: id ?? undefined,
    result,
    error: error && {
      code: error.code,
      message: error.message,
      description: error.description ?? undefined,
    },
  };
}

/** Passes `sink` an answer on a public socket. Source: v3-gaps, section 1.1; API v2, "Socket methods". */
export function decodePublicReply(frame: object, sink: MarketSink): DecodeResult {
  const answer = readAnswer(frame);
  if (typeof answer === 'string') return malformed(`public reply: ${answer}`);
  const subscription = subscriptionResult.safeParse(answer.result);
  sink.reply({
    id: answer.id,
    result: answer.result,
    error: answer.error,
    channel: subscription.success ? subscription.data.ch : undefined,
    subscriptions: subscription.success ? subscription.data.subscriptions : undefined,
  });
  return decoded;
}
