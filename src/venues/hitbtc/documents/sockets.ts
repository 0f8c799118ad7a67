import { z } from 'zod';
import { fail } from '../../../core/base/assert.ts';
import type { SocketMethod, WireVersion } from '../wire/index.ts';
import { sentErrors, sentLogins, sentTo } from '../wire/index.ts';
import {
  bookNotice,
  candle,
  futuresState,
  priceRate,
  priceTicker,
  publicTrade,
  ticker,
  topOfBook,
} from '../wire/resources/index.ts';
import { v2Locations } from '../wire/v2/index.ts';
import type { V3Channel } from '../wire/v3/index.ts';
import {
  channels,
  v3FrameKinds,
  v3Locations,
  v3PublicMethods,
  v3SubscriptionParams,
} from '../wire/v3/index.ts';
import { servers } from './rest.ts';
import type { JsonSchema } from './schemas.ts';
import { describeSchemas } from './schemas.ts';

interface Message {
  readonly name: string;
  readonly payload: JsonSchema;
}

/** Something that a client sends or gets at a location. */
interface Operation {
  readonly name: string;
  readonly action: 'send' | 'receive';
  readonly message: Message;
  readonly reply?: Message;
  readonly summary: string;
}

interface Location {
  readonly path: string;
  readonly operations: readonly Operation[];
}

interface Served {
  readonly methods: Readonly<Record<string, SocketMethod>>;
  readonly notices: Readonly<Record<string, object>>;
}

/**
 * Sockets of a version of the API as an AsyncAPI 3.0 document from the client's side, made of the tables that client and exchange
 * use. `version`: that of Godwit.
 */
export function socketDocument(api: WireVersion, version: string): object {
  const served = (api === 'v3' ? v3Locations : v2Locations) as Readonly<Record<string, Served>>;
  const words = describeSchemas(schemasOf(api, served));
  const error = errorMessage(api, words.of('error'));
  const rpc = Object.entries(served).map(([path, of]) => rpcLocation(path, of, words.of));
  const streams = api === 'v3' ? describeSchemas(streamSchemas(), 'channel') : undefined;
  const locations = streams === undefined ? rpc : [publicLocation(streams.of), ...rpc];
  const own = 'ws://127.0.0.1:8080';
  return {
    asyncapi: '3.0.0',
    info: {
      title: `Trading API ${api}, sockets`,
      version,
      description: about[api],
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: Object.fromEntries(
      servers('ws_url', own).map(({ url, description }) => {
        const [protocol, host] = url.split('://');
        return [url === own ? 'local' : description, { host, protocol, description }];
      }),
    ),
    channels: Object.fromEntries(locations.map((one) => [idOf(one.path), channelOf(one, error)])),
    operations: Object.fromEntries(locations.flatMap((one) => operationsOf(one, error))),
    components: { schemas: joined(words.shared, streams?.shared ?? {}) },
  };
}

const about = {
  v3: 'Made by `godwit openapi` of the tables that its client and its embedded exchange work by. A frame is one message. The public socket needs no key and its members have one letter; the others begin with `login`. The reply to a request has its id.',
  v2: 'Made by `godwit openapi` of the tables that its client and its embedded exchange work by. A frame is one message. /api/2/ws serves the methods of all locations. What needs a key comes after `login`. The reply to a request has its id.',
} as const;

function schemasOf(api: WireVersion, served: Readonly<Record<string, Served>>): Record<string, z.ZodType> {
  const schemas: Record<string, z.ZodType> = { error: sentErrors.socket };
  for (const { methods, notices } of Object.values(served)) {
    for (const [name, { params, answer }] of Object.entries(methods)) {
      schemas[`${name} params`] = name === 'login' ? sentLogins[api] : params;
      schemas[`${name} result`] = sentTo(answer);
    }
    for (const [name, read] of Object.entries(notices)) schemas[`${name} notice`] = sentTo(read);
  }
  return schemas;
}

const id: JsonSchema = { type: ['integer', 'string'], description: 'comes back with the reply' };
const jsonrpc: JsonSchema = { const: '2.0' };

function errorMessage(api: WireVersion, error: JsonSchema): Message {
  // The public socket of v3 alone leaves `jsonrpc` out.
  const head = api === 'v2' ? { jsonrpc } : {};
  return { name: 'error', payload: objectOf({ ...head, error, id }, ['error']) };
}

function rpcLocation(path: string, { methods, notices }: Served, of: (name: string) => JsonSchema): Location {
  const asked = Object.entries(methods).map(([method, { right }]): Operation => {
    const params = of(`${method} params`);
    const request = { method: { const: method }, params, id };
    return {
      name: method,
      action: 'send',
      message: { name: method, payload: objectOf(request, ['method', 'params', 'id']) },
      reply: {
        name: `${method}_reply`,
        payload: objectOf({ jsonrpc, result: of(`${method} result`), id }, ['jsonrpc', 'result', 'id']),
      },
      summary: right === 'none' ? `${method}: needs no key` : `${method}: ${rightText(right)}`,
    };
  });
  const told = Object.keys(notices).map((method): Operation => {
    const notice = { jsonrpc, method: { const: method }, params: of(`${method} notice`) };
    return {
      name: `on_${method}`,
      action: 'receive',
      message: { name: `on_${method}`, payload: objectOf(notice, ['jsonrpc', 'method', 'params']) },
      summary: `a notification: ${method}`,
    };
  });
  return { path, operations: [...asked, ...told] };
}

function rightText(right: SocketMethod['right']): string {
  return right === 'key' ? 'needs a key' : `needs a key with the right ${right}`;
}

/** Payloads of the v3 public socket by the kind of channel, for one symbol or currency each. */
const payloads: Readonly<Record<V3Channel['kind'], () => z.ZodType>> = {
  trades: () => z.array(publicTrade.members.channel.sent),
  candles: () => z.array(candle.members.channel.sent),
  convertedCandles: () => z.array(candle.members.channel.sent),
  ticker: () => ticker.members.channel.sent,
  priceTicker: () => priceTicker.members.channel.sent,
  priceRate: () => priceRate.members.channel.sent,
  book: () => bookNotice.members.channel.sent,
  partialBook: () => bookNotice.members.channel.sent,
  top: () => topOfBook.members.channel.sent,
  futuresInfo: () => futuresState.members.channel.sent,
};

function streamSchemas(): Record<string, z.ZodType> {
  return {
    params: v3SubscriptionParams,
    ...Object.fromEntries(Object.entries(payloads).map(([kind, payload]) => [kind, payload()])),
  };
}

function publicLocation(of: (name: string) => JsonSchema): Location {
  const all = [...channels.values()];
  const request = {
    method: { enum: v3PublicMethods },
    ch: { enum: all.map(({ name }) => name) },
    params: of('params'),
    id,
  };
  const result = objectOf(
    { ch: { type: 'string' }, subscriptions: { type: 'array', items: { type: 'string' } } },
    ['ch', 'subscriptions'],
  );
  const subscribe: Operation = {
    name: 'subscribe',
    action: 'send',
    message: { name: 'subscribe', payload: objectOf(request, ['method', 'ch', 'id']) },
    reply: { name: 'subscribe_reply', payload: objectOf({ result, id }, ['result', 'id']) },
    summary: 'begins, ends or lists what a channel sends of some symbols, or of all by *',
  };
  const kinds = Object.keys(payloads) as V3Channel['kind'][];
  const told = kinds.map((kind): Operation => {
    const ofKind = all.filter((one) => one.kind === kind);
    const frames = ofKind[0] === undefined ? [] : v3FrameKinds(ofKind[0]);
    const keyed = { type: 'object', additionalProperties: of(kind) };
    const target = kind === 'convertedCandles' || kind === 'priceRate' ? { target_currency: text } : {};
    const frame = {
      ch: { enum: ofKind.map(({ name }) => name) },
      ...target,
      ...Object.fromEntries(frames.map((one) => [one, keyed])),
    };
    return {
      name: `on_${kind}`,
      action: 'receive',
      message: { name: `on_${kind}`, payload: objectOf(frame, ['ch']) },
      summary: `a frame of a channel, by ${kind === 'priceRate' ? 'currency' : 'symbol'}: ${frames.join(', then ')}`,
    };
  });
  return { path: '/api/3/ws/public', operations: [subscribe, ...told] };
}

const text: JsonSchema = { type: 'string' };

function objectOf(
  properties: Readonly<Record<string, JsonSchema | { readonly enum: readonly unknown[] }>>,
  required: readonly string[],
): JsonSchema {
  return { type: 'object', properties: properties as Readonly<Record<string, JsonSchema>>, required };
}

function channelOf({ path, operations }: Location, error: Message): object {
  const messages = operations.flatMap(({ message, reply }) => [
    message,
    ...(reply === undefined ? [] : [reply]),
  ]);
  return {
    address: path,
    messages: Object.fromEntries([...messages, error].map(({ name, payload }) => [name, { name, payload }])),
  };
}

function operationsOf(
  { path, operations }: Location,
  error: Message,
): readonly (readonly [string, object])[] {
  const channel = { $ref: `#/channels/${idOf(path)}` };
  const refer = ({ name }: Message) => ({ $ref: `${channel.$ref}/messages/${name}` });
  return operations.map(({ name, action, message, reply, summary }) => [
    `${idOf(path)}_${name}`,
    {
      action,
      channel,
      summary,
      messages: [refer(message)],
      ...(reply !== undefined && { reply: { channel, messages: [refer(reply), refer(error)] } }),
    },
  ]);
}

/** Name of a location: `trading` of `/api/3/ws/trading`. */
function idOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function joined(
  one: Readonly<Record<string, JsonSchema>>,
  other: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const twice = Object.keys(one).find((name) => Object.hasOwn(other, name));
  if (twice !== undefined) fail('two schemas have one title', { title: twice });
  return { ...one, ...other };
}
