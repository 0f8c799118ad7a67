import { configSchema } from '../../../src/app/config/schema.ts';
import { fileURLToPath } from 'node:url';
import { zero } from '../../../src/core/base/amount.ts';
import { MemoryJournal } from '../../../src/core/journal/index.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import type { Figure } from '../row.ts';
import { VirtualScene } from '../../../src/app/virtual/scene.ts';

const seed = 1;
const limitMs = 2_000;
const codes = ['BTC', 'ETH', 'LTC', 'XRP', 'ADA', 'DOT', 'SOL', 'UNI', 'BCH', 'EOS', 'XLM', 'TRX', 'ZEC'];
const pair = (code: string): string => `${code}USDT`;
const contract = (code: string): string => `${code}USDT_PERP`;
/** The symbol on which others have orders too: there each of ours is cancelled by itself. */
const shared = pair('ZEC');
const foreign = 5;

/** Orders of each symbol and product: a whole of 25,000 at scale 1, as many on a symbol as the venue allows. */
function ordersOf(scale: number) {
  const full = Math.round(2_000 * scale);
  const each = (symbols: readonly string[]) => symbols.map((symbol) => [symbol, full] as const);
  return {
    spot: Object.fromEntries([
      ...each(codes.slice(0, 8).map(pair)),
      // Those of others count in the limit of the venue.
      [pair('TRX'), Math.round(600 * scale) - foreign],
      [shared, Math.round(400 * scale)],
    ]),
    margin: Object.fromEntries(each(['BCH', 'EOS'].map(pair))),
    futures: Object.fromEntries(each(['BTC', 'ETH'].map(contract))),
  };
}

function exchangeOptions() {
  return {
    currencies: [...codes, 'USDT'].map((code, at) => ({
      code,
      fullName: code,
      stable: code === 'USDT',
      price: code === 'USDT' ? '1' : String(100 + at),
    })),
    symbols: codes.map((code) => ({
      symbol: pair(code),
      baseCurrency: code,
      quoteCurrency: 'USDT',
      tickSize: '0.01',
      quantityIncrement: '0.001',
      marginTrading: true,
      maxInitialLeverage: '10',
    })),
    accounts: [
      { name: 'demo', keys: [{}], balances: { USDT: '100000000' }, derivatives: { USDT: '100000000' } },
    ],
    flow: { eventsPerSecond: 1, ordersMax: 40, takerShare: 0.1 },
    futures: {
      contracts: ['BTC', 'ETH'].map((code) => ({
        symbol: contract(code),
        underlying: code,
        quoteCurrency: 'USDT',
        tickSize: '0.01',
        quantityIncrement: '0.001',
      })),
    },
    publish: { bookMs: 1_000 },
  };
}

/** Somebody else's orders on the same account. */
function placeForeign({ exchange, instruments }: VirtualScene): void {
  const instrument = instruments.get(shared).id;
  for (let at = 0; at < foreign; at++)
    exchange.world.core.handle({
      kind: 'place',
      account: exchange.account,
      takeMarkup: zero,
      makeMarkup: zero,
      request: {
        clientOrderId: `by-hand-${at}` as ClientOrderId,
        instrument,
        side: 'buy',
        type: 'limit',
        timeInForce: 'GTC',
        quantity: 10 as Lots,
        price: (1_000 + at) as Ticks,
        stopPrice: undefined,
        expireTime: undefined,
        postOnly: false,
      },
    });
}

/** Bytes that left after the trigger. */
class Trigger {
  firstCancelCpuMs = Number.NaN;
  firstCancelMs = Number.NaN;
  ordersSent = 0;
  requests = 0;
  #cpu: NodeJS.CpuUsage | undefined;
  #at = 0;

  pull(elapsedMs: number): void {
    this.#at = elapsedMs;
    this.#cpu = process.threadCpuUsage();
  }

  sent(text: string, elapsedMs: number): void {
    if (this.#cpu === undefined) return;
    if (text.includes('_new_order')) this.ordersSent += 1;
    if (!text.startsWith('DELETE')) return;
    this.requests += 1;
    if (this.requests > 1) return;
    this.firstCancelMs = elapsedMs - this.#at;
    this.firstCancelCpuMs = this.cpuMs;
  }

  /** Processor time of this thread since. */
  get cpuMs(): number {
    const { user, system } = process.threadCpuUsage(this.#cpu);
    return (user + system) / 1_000;
  }
}

/** A halt with as many live orders as the venue allows, on all products, while a strategy goes on to place more. */
export async function cancelFigures(scale: number, tell: (line: string) => void): Promise<readonly Figure[]> {
  const trigger = new Trigger();
  const scene = new VirtualScene({
    seed,
    exchange: exchangeOptions(),
    tap: { sent: (_road, text) => trigger.sent(text, scene.elapsedMs) },
  });
  placeForeign(scene);
  const params = ordersOf(scale);
  const total = Object.values(params).reduce(
    (sum, of) => sum + Object.values<number>(of).reduce((all, count) => all + count, 0),
    0,
  );
  const path = fileURLToPath(new URL('../strategies/rester.ts', import.meta.url));
  const limits = { openOrdersMax: 25_000, messagesPerSecondMax: 300 };
  await scene.start({
    config: configSchema.parse({
      strategies: [{ name: 'rester', path, host: 'thread', params: { ...params, perSecond: 280 }, limits }],
      orders: {
        duplicateMs: 0,
        lastTradeNeeded: false,
        messagesPerSecondMax: 300,
        openOrdersAccountMax: 25_000,
        openOrdersSymbolMax: 2_000,
      },
    }),
    journal: () => new MemoryJournal(),
  });
  const { trader, exchange } = scene;
  const own = (): number => trader.view.openCount() - trader.view.openCountBy('external');
  const live = await scene.until(() => own() >= total && trader.waiting.inFlight === 0, 300_000);
  if (!live) throw new Error(`only ${own()} of ${total} orders became live`);
  tell(`${own()} orders live after ${Math.round(scene.elapsedMs / 1_000)} simulated seconds`);
  const begun = scene.elapsedMs;
  trigger.pull(begun);
  trader.act({ act: 'halt' }, 'operator', 'a measurement');
  const isGone = (): boolean => own() === 0 && exchange.activeOrders.length <= foreign;
  await scene.until(isGone, 10 * limitMs);
  const note = `${total} orders of ${Object.values(params).flatMap(Object.keys).length} symbols in ${trigger.requests} requests`;
  const goneMs = isGone() ? scene.elapsedMs - begun : Number.POSITIVE_INFINITY;
  const cpuMs = trigger.cpuMs;
  // What is late is seen, too.
  await scene.until(() => false, 5_000);
  return [
    { name: 'all gone', value: goneMs, unit: 'simulated ms', limit: { atMost: limitMs }, seed, note },
    {
      name: 'first cancel byte',
      value: trigger.firstCancelMs,
      unit: 'simulated ms',
      limit: { atMost: 10 },
      seed,
    },
    {
      name: 'processor to first cancel byte',
      value: Number(trigger.firstCancelCpuMs.toFixed(2)),
      unit: 'ms',
      // A share of it on a busy machine says nothing of the whole.
      ...(scale === 1 && { limit: { atMost: 10 } }),
      seed,
      note: 'as the system counts it, in steps of some milliseconds',
    },
    {
      name: 'processor until all gone',
      value: Math.round(cpuMs),
      unit: 'ms',
      seed,
      note: 'daemon and exchange, which share the thread',
    },
    {
      name: 'orders sent after the trigger',
      value: trigger.ordersSent,
      unit: 'orders',
      limit: { atMost: 0 },
      seed,
    },
    {
      name: 'live afterwards',
      value: exchange.activeOrders.filter(({ clientOrderId: id }) => !id.startsWith('by-hand')).length,
      unit: 'own orders',
      limit: { atMost: 0 },
      seed,
    },
    {
      name: 'orders of others cancelled',
      value:
        foreign - exchange.activeOrders.filter(({ clientOrderId: id }) => id.startsWith('by-hand')).length,
      unit: `of ${foreign}`,
      limit: { atMost: 0 },
      seed,
    },
  ];
}
