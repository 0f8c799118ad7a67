import type { MessagePort } from 'node:worker_threads';
import { z } from 'zod';
import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';
import type { Event } from '../model/event.ts';
import type { InstrumentSpec } from '../model/instrument.ts';
import type { MarginMode } from '../model/margin.ts';
import { barSpec } from '../state/index.ts';
import { contingencyTypes } from '../model/order-list.ts';
import type { OrderType, Side, TimeInForce } from '../model/order.ts';
import type { MarginProductName } from '../model/product.ts';
import { products } from '../model/product.ts';
import { seriesColumnsMax, seriesMax, seriesNameShape } from '../model/event.ts';
import type { KeptState } from './host.ts';
import { schemaCharactersMax } from './params.ts';
import type { PlainCode } from './plain-code.ts';

/** One strategy of a worker. */
export interface MemberTask {
  readonly path: string;
  /** Unchecked parameters. */
  readonly params: unknown;
  /** Instance name, or the definition's own. */
  readonly name: string | undefined;
  readonly tag: string;
  readonly kept: KeptState | undefined;
}

/** Task that a worker is given when it is made. No key, no environment, no address. */
export interface WorkerTask {
  /** Its strategies: one, or those of a group. Messages name them by their place here. */
  readonly members: readonly MemberTask[];
  /** Code of their files without its types. */
  readonly code: PlainCode;
  /** Whether the code of the strategies is kept from what reaches beyond the thread. */
  readonly isLimited: boolean;
  /** Without them the strategies are only loaded and checked. */
  readonly specs: readonly InstrumentSpec[] | undefined;
  /** Options of the state replica: the same as the trader's. */
  readonly stateOptions: unknown;
  readonly seed: number | string;
  readonly idPrefix: string;
  readonly run: string;
}

/** A worker's task, and its own channel to its host: a ring for each direction, and a port for what does not fit there. */
export interface WorkerData {
  readonly task: WorkerTask;
  channel?: WorkerChannel;
}

export interface WorkerChannel {
  readonly port: MessagePort;
  readonly toWorker: SharedArrayBuffer;
  readonly fromWorker: SharedArrayBuffer;
}

/** From the host to its worker. */
export type ToWorker =
  | { readonly type: 'event'; readonly event: Event }
  | {
      readonly type: 'start';
      readonly of: number;
      readonly now: Micros;
      /** How often the strategy was started before in this run. */
      readonly starts: number;
      /** State that it kept since it was loaded. */
      readonly kept: KeptState | undefined;
    }
  | { readonly type: 'stop'; readonly of: number; readonly now: Micros }
  | { readonly type: 'ping' }
  /** Asks for `flushed` when all that was printed has been passed on. */
  | { readonly type: 'flush' };

/** Strategies of one worker, at most: as many as a configuration has. */
const membersMax = 100;
const whole = z.int();
const id = z.string().regex(/^[A-Za-z0-9_-]{8,32}$/);
const text = z.string().max(20_000);
/** More orders in one list than any rule allows; the rules themselves are the controls'. */
const listedMax = 16;
/** A word that the controls know or deny, as they do those of a strategy in the thread. */
const word = <Known extends string>() =>
  z.custom<Known>((value) => typeof value === 'string' && value.length <= 64);

const amount = z.custom<Amount>((value) => typeof value === 'bigint');

const marginMark = z.strictObject({
  mode: word<MarginMode>(),
  reduceOnly: z.boolean(),
  closePosition: z.boolean(),
  auto: z.boolean(),
});

const marginChange = z.strictObject({
  product: word<MarginProductName>(),
  mode: word<MarginMode>(),
  instrument: whole.optional(),
  currency: text,
  balance: amount.optional(),
  leverage: amount.optional(),
});

const request = z.strictObject({
  clientOrderId: id,
  instrument: whole,
  side: word<Side>(),
  type: word<OrderType>(),
  timeInForce: word<TimeInForce>(),
  quantity: whole,
  price: whole.optional(),
  stopPrice: whole.optional(),
  expireTime: whole.optional(),
  postOnly: z.boolean(),
  margin: marginMark.optional(),
  takeRate: amount.optional(),
  makeRate: amount.optional(),
  list: z
    .strictObject({ contingency: z.enum(contingencyTypes), orders: z.array(id).max(listedMax).readonly() })
    .optional(),
});

const intent = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('place'), strategy: text, request }),
  z.strictObject({
    action: z.literal('placeList'),
    strategy: text,
    contingency: z.enum(contingencyTypes),
    requests: z.array(request).max(listedMax).readonly(),
  }),
  z.strictObject({ action: z.literal('cancel'), strategy: text, clientOrderId: id }),
  z.strictObject({
    action: z.literal('replace'),
    strategy: text,
    clientOrderId: id,
    newClientOrderId: id,
    quantity: whole,
    price: whole.optional(),
    stopPrice: whole.optional(),
  }),
  z.strictObject({ action: z.literal('cancelAll'), strategy: text, instrument: whole.optional() }),
  z.strictObject({ action: z.literal('changeMargin'), strategy: text, change: marginChange }),
]);

const feed = z.strictObject({
  symbol: text,
  book: z.boolean().optional(),
  trades: z.boolean().optional(),
  ticker: z.boolean().optional(),
  candles: z.array(barSpec).optional(),
  needs: z.array(text).max(10_000).optional(),
  hedge: text.optional(),
  contract: z.boolean().optional(),
});

const seriesColumn = z.strictObject({
  kind: z.enum(['number', 'decimal', 'text']),
  optional: z.boolean(),
  whole: z.boolean().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  above: z.number().optional(),
  below: z.number().optional(),
  oneOf: z.array(text).max(10_000).optional(),
});

const series = z.strictObject({
  name: z.string().regex(seriesNameShape),
  columns: z
    .record(text, seriesColumn)
    .refine((columns) => Object.keys(columns).length <= seriesColumnsMax)
    .optional(),
});

const member = z.strictObject({
  name: text,
  feeds: z.array(feed).max(10_000),
  series: z.array(series).max(seriesMax),
  products: z.array(z.enum(products)).min(1).max(products.length),
  /** The JSON Schema of its parameters, as JSON text. */
  paramsSchema: z.string().max(schemaCharactersMax),
});

/** Place of the strategy in the task of the worker. */
const of = whole.min(0);

/**
 * From a worker to its host. Code in a worker can post whatever it likes, so everything is checked here.
 */
export const fromWorker = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready'), members: z.array(member).max(membersMax) }),
  /** It could not be loaded: one sentence. */
  z.strictObject({ type: z.literal('refused'), why: text }),
  z.strictObject({ type: z.literal('intent'), of, intent }),
  z.strictObject({ type: z.literal('note'), of, level: z.enum(['debug', 'info', 'warn', 'error']), text }),
  z.strictObject({
    type: z.literal('arm'),
    of,
    timerId: whole,
    delay: whole.min(0),
    period: whole.min(1).optional(),
  }),
  z.strictObject({ type: z.literal('disarm'), of, timerId: whole }),
  z.strictObject({
    type: z.literal('keep'),
    of,
    state: z.strictObject({ version: whole, json: z.string().max(1_000_000) }),
  }),
  /** `count` events have been handled: a sign of life, and space in the backlog. */
  z.strictObject({ type: z.literal('handled'), count: whole.min(0) }),
  z.strictObject({ type: z.literal('pong') }),
  /** Sizes that were rounded down to nothing, all of them so far. */
  z.strictObject({ type: z.literal('cut'), of, instrument: whole.min(0), first: text, count: whole.min(1) }),
  /** The strategy ended: by a fault, or because it was stopped (`why` is then empty). */
  z.strictObject({ type: z.literal('ended'), of, why: text }),
  z.strictObject({ type: z.literal('flushed') }),
]);

export type FromWorker = z.output<typeof fromWorker>;

/** Declarations of a strategy of a worker. */
export type ReadyMember = (FromWorker & { type: 'ready' })['members'][number];

export const messagesMax = 20_000;
const charactersMax = 16_777_216;

/**
 * Limits what a strategy says and asks for in a second: more would fill the journal faster than it is written. What its thread
 * acknowledges is of others, and counts for nothing.
 */
export class MessageQuota {
  #second = -1;
  #messages = 0;
  #characters = 0;

  /** Why a message is too much, if it is. */
  countMessage(now: Micros, message: FromWorker): string | undefined {
    if (message.type === 'handled' || message.type === 'pong' || message.type === 'flushed') return undefined;
    const second = Math.floor(now / microsPerSecond);
    if (second !== this.#second) {
      this.#second = second;
      this.#messages = 0;
      this.#characters = 0;
    }
    this.#messages += 1;
    this.#characters += lengthOf(message);
    if (this.#messages > messagesMax) return `it sent more than ${messagesMax} messages in a second`;
    if (this.#characters > charactersMax) return `it sent more than ${charactersMax} characters in a second`;
    return undefined;
  }
}

function lengthOf(message: FromWorker): number {
  if (message.type === 'note') return message.text.length;
  return message.type === 'keep' ? message.state.json.length : 0;
}
