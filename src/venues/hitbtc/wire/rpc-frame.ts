import { z } from 'zod';
import { BadInput } from '../../../core/base/errors.ts';
import { issueText } from './fields.ts';
import { parseFrame } from './json.ts';
import type { Answer } from './socket-reply.ts';
import { readAnswer } from './socket-reply.ts';

/** A frame of a socket with methods: the answer to a request, or a notification still in its outer form. */
export type RpcFrame =
  | ({ readonly kind: 'reply' } & Answer)
  | { readonly kind: 'notice'; readonly method: string; readonly params: unknown };

const notification = z.object({ method: z.string().max(80), params: z.unknown().optional() });

/** Reads a frame of the socket that `what` names, such as `v3 trading`. Throws `BadInput` naming the member. */
export function readRpcFrame(frame: string | Uint8Array, what: string): RpcFrame {
  const value = parseFrame(frame);
  if (typeof value !== 'object' || value === null) throw new BadInput(`${what} frame: expected an object`);
  if (!Object.hasOwn(value, 'method')) {
    const answer = readAnswer(value);
    if (typeof answer === 'string') throw new BadInput(`${what} reply: ${answer}`);
    return { kind: 'reply', ...answer };
  }
  const read = notification.safeParse(value);
  if (!read.success) throw new BadInput(`${what} frame: ${issueText(read.error)}`);
  return { kind: 'notice', method: read.data.method, params: read.data.params };
}
