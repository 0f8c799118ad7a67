import { pathToFileURL } from 'node:url';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { micros } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event, MarketEvent } from '../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import { LevelBuffer } from '../../src/core/model/level-buffer.ts';
import type { ClientOrderId, Side } from '../../src/core/model/order.ts';
import { openShadowEngine } from '../../src/sim/fill-models/fifo/shadow-engine.ts';
import { simOptions } from '../../src/sim/options.ts';
import { SimVenue } from '../../src/sim/venue.ts';
import { oneMarket } from '../support/markets.ts';

const messages = 60_000;
const changesPerMessage = 45;
const instrument = 0 as InstrumentId;
const startTime = 1_700_000_000_000_000;

/** Messages of 45 level changes: 31 % deletes, distance from the touch exponential with mean 12; a trade in every fifth. */
function makeFeed(): MarketEvent[] {
  const random = new Random('shadow bench');
  const buffer = new LevelBuffer();
  const events: MarketEvent[] = [];
  let touch = 1_000_000;
  for (let i = 0; i < messages; i++) {
    const exchangeTime = (startTime + i * 1_000) as Micros;
    const times = { exchangeTime, receiveTime: (exchangeTime + 2_000) as Micros };
    buffer.beginMessage();
    for (let n = 0; n < changesPerMessage; n++) {
      const side = random.chance(0.5) ? 0 : 1;
      const away = (random.chance(0.03) ? random.between(0, 1_000) : Math.floor(random.exponential(12))) + 3;
      buffer.push(
        side,
        side === 0 ? touch - away : touch + away,
        random.chance(0.31) ? 0 : random.between(1, 5_000),
      );
    }
    const { chunk: levels, start, end } = buffer;
    events.push({ kind: 'bookUpdate', instrument, sequence: i, levels, start, end, ...times });
    if (random.chance(0.2)) events.push(tradeOf(random, touch, i, times));
    if (random.chance(0.01)) touch += random.between(-1, 1);
  }
  return events;
}

function tradeOf(
  random: Random,
  touch: number,
  number: number,
  times: { exchangeTime: Micros; receiveTime: Micros },
): MarketEvent {
  const side: Side = random.chance(0.5) ? 'buy' : 'sell';
  const price = (side === 'buy' ? touch + 3 : touch - 3) as Ticks;
  const quantity = random.between(1, 500) as Lots;
  const trade = { tradeId: String(number), price, quantity, side, time: times.exchangeTime };
  return { kind: 'trades', instrument, snapshot: false, trades: [trade], ...times };
}

function venueOf(clock: VirtualClock): SimVenue {
  const available = parseAmount('1000000000');
  return new SimVenue({
    openEngine: openShadowEngine,
    clock,
    instruments: oneMarket({ tickSize: '0.01', quantityIncrement: '0.001' }),
    options: simOptions.parse({}),
    random: new Random('shadow bench'),
    balances: [
      { currency: 'AAA', available, reserved: zero },
      { currency: 'BBB', available, reserved: zero },
    ],
  });
}

function order(number: number, side: Side, price: number) {
  return {
    kind: 'newOrder',
    commandId: number,
    strategy: 'bench',
    request: {
      clientOrderId: `bench-order-${number}` as ClientOrderId,
      instrument,
      side,
      type: 'limit',
      timeInForce: 'GTC',
      quantity: 100 as Lots,
      price: price as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  } as const;
}

/** Keeps one order a side near the touch: a new one whenever one is gone. Answers microseconds taken and orders sent. */
function run(feed: readonly MarketEvent[]): { took: number; sent: number } {
  const clock = new VirtualClock(startTime as Micros);
  const venue = venueOf(clock);
  let number = 0;
  let noted = 0;
  const quote = (side: Side): void =>
    venue.send(order(number++, side, 1_000_000 + (side === 'buy' ? -5 : 5)));
  venue.events.subscribe((event: Event) => {
    noted += 1;
    if (event.kind === 'orderReport' && event.order.state === 'filled') quote(event.order.side);
  });
  quote('buy');
  quote('sell');
  const system = new SystemClock();
  const start = system.uptime();
  for (const event of feed) {
    clock.advanceTo(event.exchangeTime);
    venue.accept(event);
  }
  clock.drain(micros(startTime + messages * 2_000));
  const took = system.uptime() - start;
  if (noted < messages) throw new Error('the venue told too little');
  return { took, sent: number };
}

export interface ShadowFigure {
  readonly name: string;
  readonly millionChangesPerSecond: number;
}

/** Million level changes per second through `SimVenue`, to an observer, one own order a side; median of nine rounds. */
export function benchShadow(): ShadowFigure {
  const feed = makeFeed();
  const rounds = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => run(feed)).sort((a, b) => a.took - b.took);
  const { took, sent } = rounds[4] as { took: number; sent: number };
  const name = `level changes through the simulated venue (${sent} own orders sent)`;
  return { name, millionChangesPerSecond: (messages * changesPerMessage) / took };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { name, millionChangesPerSecond } = benchShadow();
  process.stdout.write(`${name}: ${millionChangesPerSecond.toFixed(1)} M/s\n`);
}
