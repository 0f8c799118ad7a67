import { request } from 'undici';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { BadInput, NotFound } from '../../src/core/base/errors.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { OperatorAct } from '../../src/core/model/operator.ts';
import { strategyLimits } from '../../src/core/orders/base/options.ts';
import { orderOptions } from '../../src/core/orders/options.ts';
import { defineStrategy, z } from '../../src/core/strategy/index.ts';
import { paramsSchemaText, readParams } from '../../src/core/strategy/params.ts';
import { operateOptions } from '../../src/operate/options.ts';
import type { DriftState, OperatedSentinel, OperatedShadow, ReloadAnswer } from '../../src/operate/run.ts';
import type { Explained } from '../../src/operate/schemas.ts';
import type {
  LineKeeping,
  KeptHistory,
  KeptLines,
  KeptRows,
  RowKeeping,
} from '../../src/operate/history/index.ts';
import { OperateServer } from '../../src/operate/server.ts';
import { Rig, instrument } from '../core/trader/support/rig.ts';

export const tokens = { operate: 'operate-token-of-the-test', read: 'read-token-of-the-test' };

/** Lines in memory, which outlive servers that share them. */
export class KeptInMemory implements KeptHistory {
  readonly #lines = new Map<string, string[]>();

  open(name: string, { all }: LineKeeping): KeptLines {
    const lines = this.#lines.get(name) ?? [];
    this.#lines.set(name, lines);
    return {
      earlier: lines.map((line) => JSON.parse(line) as unknown),
      add: (line) => lines.push(JSON.stringify(line)),
      renew: () => lines.splice(0, lines.length, ...all().map((line) => JSON.stringify(line))),
    };
  }

  openRows(name: string, { width }: Pick<RowKeeping, 'width'>): KeptRows {
    const lines = this.open(name, { linesMax: 0, all: () => [] });
    const rows = lines.earlier as (readonly number[])[];
    return {
      earlier: Float64Array.from(rows.flat()),
      add: (row) => {
        if (row.length !== width) throw new Error(`expected rows of ${width} numbers, found ${row.length}`);
        lines.add(row);
      },
    };
  }
}

/** Buys three lots at 99 on every trade at 100. */
export const buyer = defineStrategy({
  name: 'buyer',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'AAABBB', book: true, trades: true }],
  create: ({ orders }) => ({
    onTrade: (trade) => {
      if (trade.price === 100) orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 3, price: 99 });
    },
  }),
});

/** Has `buyer` buy, and two of its three lots execute. Returns the id of its order. */
export function boughtPart(rig: Rig): ClientOrderId {
  rig.trade(100);
  const id = rig.all('orderPending').at(-1)?.command.request.clientOrderId;
  if (id === undefined) throw new Error('expected an order of buyer');
  rig.report(id, 'new');
  rig.report(id, 'partiallyFilled', 2);
  return id;
}

/** As `buyer`, with a parameter for each kind of field. */
export const tunable = defineStrategy({
  feeds: () => [{ symbol: 'AAABBB', book: true, trades: true }],
  name: 'buyer',
  params: z.strictObject({
    pace: z.int().min(1).max(60).default(7).describe('seconds between quotes'),
    edge: z.number().positive().default(0.5),
    side: z.enum(['buy', 'sell']).default('buy'),
    eager: z.boolean().default(false),
    note: z.string().default('calm'),
    levels: z.array(z.int()).default([1, 2]),
    apiKey: z.string().default('of-nobody'),
  }),
  create: () => ({}),
});

export interface Operated {
  readonly rig: Rig;
  readonly server: OperateServer;
  readonly acts: { readonly act: OperatorAct; readonly who: string; readonly why: string }[];
  readonly stops: string[];
  /** Parameters that were to be changed. */
  readonly changed: object[];
  /** Whether the journal names no order. */
  unknown: boolean;
  /** What a reload comes to; where limits are raised, once it is confirmed. */
  reloads: () => Omit<ReloadAnswer, 'done'>;
  /** Reloads that were done, by whom and why. */
  readonly reloaded: string[];
  /** That of the buyer. */
  shadow: OperatedShadow | undefined;
}

/** The venue shows an account of isolated margin that is short two lots and has come to a margin call. */
export function reportMargin(rig: Rig): void {
  const now = rig.clock.now();
  const times = { createdAt: now, updatedAt: now };
  const position = {
    id: 1,
    instrument,
    mode: 'isolated',
    leverage: parseAmount('10'),
    quantity: parseAmount('-2'),
    pnl: parseAmount('-0.5'),
    feeCumulative: zero,
    entry: parseAmount('98'),
    marginCall: 110 as Ticks,
    liquidation: 115 as Ticks,
    auto: false,
    amr: false,
    ...times,
  } as const;
  rig.subject.next({
    kind: 'marginAccount',
    product: 'margin',
    reportType: 'updated',
    reason: 'status',
    account: {
      mode: 'isolated',
      instrument,
      currency: 'BBB',
      leverage: parseAmount('10'),
      balance: parseAmount('50'),
      reservedOrders: parseAmount('1'),
      reservedPositions: parseAmount('20.5'),
      callMargin: parseAmount('9'),
      liquidationMargin: parseAmount('6'),
      positions: [position],
      called: true,
      auto: false,
      amr: false,
      ...times,
    },
    ...rig.times,
  });
}

/** What a trader in memory has no journal for. */
export function explainedAs(clientOrderId: string): Explained {
  const time = '2026-01-02T03:04:05.000006Z';
  const step = { time, sincePreviousMs: null, sequence: 7 };
  return {
    order: {
      clientOrderId,
      run: 'r1',
      mode: 'sim',
      strategy: 'buyer',
      symbol: 'AAABBB',
      side: 'buy',
      type: 'limit',
      quantity: '3',
      price: '99',
      stopPrice: null,
      state: 'partiallyFilled',
    },
    seen: {
      time,
      after: 'balances',
      mode: 'active',
      book: { status: 'live', sequence: 3, ageMs: 1.5, bids: [['99', '50']], asks: [['101', '50']] },
      balances: [{ currency: 'AAA', available: '1000000', reserved: '0' }],
    },
    steps: [
      { ...step, step: 'intent', text: 'strategy buyer wants buy 3 AAABBB at 99, limit GTC' },
      {
        ...step,
        sincePreviousMs: 1.25,
        step: 'packet out',
        text: 'trading, 120 bytes: {"method":"spot_new_order"}',
        sequence: null,
      },
    ],
    journal: 'runs/r1',
    notes: ['the recording ends early'],
  };
}

/** A trader on a virtual clock, and the real server of its operator. */
export async function operated(
  options: z.input<typeof operateOptions> = {},
  given: typeof tokens | { operate: string; read?: string } = tokens,
  {
    run = 'r1',
    more = [],
    tuned = false,
    drift,
    sentinel,
    kept = new KeptInMemory(),
  }: {
    readonly run?: string;
    readonly more?: readonly string[];
    readonly tuned?: boolean;
    readonly drift?: DriftState;
    readonly sentinel?: OperatedSentinel;
    readonly kept?: KeptHistory;
  } = {},
): Promise<Operated> {
  const rig = new Rig({ strategies: [tuned ? tunable : buyer] }).ready();
  const acts: Operated['acts'] = [];
  const stops: string[] = [];
  const noted: Pick<Operated, 'unknown' | 'reloads' | 'shadow'> = {
    unknown: false,
    reloads: () => ({ changes: [], raises: [] }),
    shadow: undefined,
  };
  const reloaded: string[] = [];
  const changed: object[] = [];
  let params: Readonly<Record<string, unknown>> = tuned ? {} : { size: 3, apiKey: 'of-nobody' };
  const untuned = {
    type: 'object',
    properties: { pace: { type: 'integer', default: 7 }, apiKey: { type: 'string', default: 'x' } },
  };
  const schema = tuned ? (JSON.parse(paramsSchemaText(tunable)) as typeof untuned) : untuned;
  const server = await OperateServer.start({
    options: operateOptions.parse(options),
    tokens: given,
    clock: new SystemClock(),
    log: silentLogger,
    kept,
    run: {
      trader: rig.trader,
      clock: rig.clock,
      run,
      mode: 'sim',
      account: undefined,
      venue: 'http://127.0.0.1:7',
      versions: { godwit: '0.0.0', node: '26.0.0', configuration: '00' },
      strategies: ['buyer', ...more].map((name) => ({ name, limits: strategyLimits.parse({}) })),
      shadows: { trader: rig.trader, of: (name) => (name === 'buyer' ? noted.shadow : undefined) },
      orders: () => orderOptions.parse({}),
      shown: () => [instrument],
      budgets: () => ({
        cancel: { used: 0, capacity: 10 },
        read: { used: 0, capacity: 10 },
        replace: { used: 1, capacity: 10 },
        new: { used: 2, capacity: 10 },
      }),
      journal: () => ({ waiting: 4, synced: { at: 1_700_000_000_500_000 as Micros, took: 2_500 as Micros } }),
      drift: drift && (() => drift),
      sentinel: sentinel && (() => sentinel),
      explain: async (id) => {
        if (noted.unknown) throw new NotFound('none');
        return explainedAs(id);
      },
      act: (act, who, why) => {
        acts.push({ act, who, why });
        rig.trader.act(act, who, why);
      },
      strategyActs: {
        params: () => params,
        code: (name) => ({ path: `strategies/${name}`, schema }),
        start: (strategy, who, why) => {
          if (!tuned)
            return Promise.reject(new BadInput('strategy buyer: param size: found 3, expected text'));
          rig.trader.act({ act: 'startStrategy', strategy }, who, why, rig.plans[0]);
          return Promise.resolve();
        },
        stop: (strategy, who, why) => rig.trader.act({ act: 'stopStrategy', strategy }, who, why),
        setParams: async (strategy, changes, who, why) => {
          if (tuned) readParams(tunable, { ...params, ...changes });
          params = { ...params, ...changes };
          changed.push({ strategy, changes, who, why });
        },
        promote: async (strategy, who, why) => {
          if (rig.trader.view.openCount() > 0) throw new BadInput(`strategy ${strategy} is not flat`);
          changed.push({ promoted: strategy, who, why });
        },
      },
      reload: async ({ who, why, confirms }) => {
        const { changes, raises } = noted.reloads();
        const settings = JSON.stringify(raises);
        if (raises.length > 0 && !confirms({ changes, raises, settings }))
          return { done: false, changes, raises };
        reloaded.push(`${why}, by ${who}`);
        return { done: true, changes, raises };
      },
      stop: (why) => stops.push(why),
    },
  });
  return Object.assign(noted, { rig, server, acts, stops, changed, reloaded });
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export async function ask(
  server: Pick<OperateServer, 'url'>,
  path: string,
  asked: {
    readonly token?: string | undefined;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<Answer> {
  const { token = tokens.operate, body, headers = {} } = asked;
  const answer = await request(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: await answer.body.json() };
}

/** The code of a refusal. */
export function codeOf({ body }: Answer): string | undefined {
  return (body as { error?: { code?: string } }).error?.code;
}
