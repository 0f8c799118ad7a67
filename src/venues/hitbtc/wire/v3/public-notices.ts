import { z } from 'zod';
import { nameField, parseWith } from '../fields.ts';
import { readKeyed } from '../keyed.ts';

// Frames of the v3 public channels around payloads of symbols or currencies, which their resources read and write.

const notice = z.object({
  ch: nameField,
  target_currency: nameField.optional(),
  snapshot: z.unknown().optional(),
  update: z.unknown().optional(),
  data: z.unknown().optional(),
});

/** A payload with the symbol (or, for price rates, the currency) it is about. */
export interface KeyedPayload {
  readonly key: string;
  /** JSON text. */
  readonly text: string;
}

/** A notification: `{"ch":channel,[target_currency,]kind:{key:payload,...}}`. Source: v3-gaps, section 1.2. */
export function encodeV3Notification(
  channel: string,
  kind: 'snapshot' | 'update' | 'data',
  payloads: readonly KeyedPayload[],
  targetCurrency?: string,
): string {
  let body = '';
  for (const { key, text } of payloads) body += `${body === '' ? '' : ','}${JSON.stringify(key)}:${text}`;
  const target = targetCurrency === undefined ? '' : `"target_currency":${JSON.stringify(targetCurrency)},`;
  return `{"ch":"${channel}",${target}"${kind}":{${body}}}`;
}

/** A frame of a channel: what kind, and a payload for each symbol or currency. Source: v3-gaps, section 1.2. */
export interface V3ChannelNotice<Payload> {
  readonly kind: 'snapshot' | 'update' | 'data';
  readonly payloads: ReadonlyMap<string, Payload>;
  readonly targetCurrency: string | undefined;
}

/** Reads a frame of a channel, each payload by `read`. Throws `BadInput` naming the member. */
export function readV3ChannelNotice<Payload>(
  frame: unknown,
  read: (payload: unknown, key: string) => Payload,
): V3ChannelNotice<Payload> {
  const row = parseWith(notice, frame, 'v3 channel frame');
  const kind = row.snapshot !== undefined ? 'snapshot' : row.update !== undefined ? 'update' : 'data';
  const payloads = readKeyed(row[kind], `v3 ${row.ch}`, read);
  return { kind, payloads, targetCurrency: row.target_currency };
}

const subscribed = z.object({ subscriptions: z.array(nameField) });

/** The names active on a channel of this connection. Source: v3-gaps, section 1.1. */
export function readV3Subscriptions(result: unknown): readonly string[] {
  return parseWith(subscribed, result, 'v3 subscription').subscriptions;
}
