import { Observable } from 'rxjs';
import { RunInputs } from '../../../src/app/live/run-inputs.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { TurnClock } from '../../../src/core/base/turn-clock.ts';
import { ApiBudgets } from '../../../src/venues/hitbtc/budgets/api.ts';
import { Topic } from '../../../src/core/bus/topic.ts';
import { PrivateStreamHandler } from '../../../src/venues/hitbtc/client/account/private-stream.ts';
import { encodeCommandEnd } from '../../../src/venues/hitbtc/client/calls/outcome.ts';
import { MarketDataHandler } from '../../../src/venues/hitbtc/market-data/handler.ts';
import { MemoryJournal } from '../../../src/core/journal/records/run-digest.ts';
import type { Command, NewOrderCommand, ReadCommand } from '../../../src/core/model/command.ts';
import type { Event, MarketData } from '../../../src/core/model/event.ts';
import type { Frame } from '../../../src/core/model/frame.ts';
import { Trader } from '../../../src/core/trader/trader.ts';
import { encodeV3NewOrder } from '../../../src/venues/hitbtc/wire/v3/order-requests.ts';
import { benchSpec, snapshotFrame, updateFrames } from '../support/book-frames.ts';
import { frameDepth } from '../support/frame-passes.ts';
import { print, quantile } from '../support/print.ts';
import { instruments, parts, plan, unbound, warmUp } from '../support/reactor-parts.ts';

// From the frame with a book update to the text of the order, without a socket: handler, turn clock, trader, encoder. Every
// frame is answered, and between two frames the venue takes the order and ends it, which is not timed. `cold`: what
// the caches hold is driven out between frames, as a sleep does. Usage: node reaction-loop.ts [cold]
// `value`: frame to text, p50. `afterP50`: from the text to the end of the turn, microtasks left out.

const isCold = process.argv[2] === 'cold';
const framesCount = isCold ? 6_000 : 60_000;
const warmCount = framesCount / 4;

await warmUp();
const real = new SystemClock();
const clock = new TurnClock(real);
const inputs = new RunInputs({ real, turns: clock, record: undefined });
const budgets = new ApiBudgets(unbound, clock);
const noted = new Topic<Event>();
const publish = (event: Event): void => noted.next(event);
const marketData = new Topic<MarketData>();
const market = new MarketDataHandler({
  instruments,
  publish,
  publishMarketData: (data) => marketData.next(data),
});
const account = new PrivateStreamHandler({
  instruments,
  publish,
  onUnread: (why) => {
    throw new Error(why);
  },
});
const orders: NewOrderCommand[] = [];
const reads: ReadCommand[] = [];
let text = '';
let textAt = 0;

function send(command: Command): void {
  if (command.kind === 'newOrder') {
    text = encodeV3NewOrder(command.request, instruments.at(command.request.instrument), command.commandId);
    textAt = performance.now();
    orders.push(command);
  } else if (command.kind === 'read') {
    reads.push(command);
  }
  account.sent(command);
}

function frame(channel: Frame['channel'], bytes: Uint8Array): Frame {
  return { channel, direction: 'in', bytes, receiveTime: real.now() };
}

/** What the venue says of an order: taken, answered, ended. */
function answer({ commandId, request }: NewOrderCommand): void {
  const at = new Date(real.now() / 1_000).toISOString();
  const order = (status: string, type: string): object => ({
    id: commandId,
    client_order_id: request.clientOrderId,
    symbol: benchSpec.symbol,
    side: request.side,
    status,
    type: request.type,
    time_in_force: request.timeInForce,
    quantity: instruments.at(request.instrument).quantityText(request.quantity),
    quantity_cumulative: '0',
    price: instruments.at(request.instrument).priceText(request.price as never),
    post_only: false,
    created_at: at,
    updated_at: at,
    report_type: type,
  });
  const say = (message: object): void =>
    account.accept(frame('v3/trading', Buffer.from(JSON.stringify(message))));
  say({ jsonrpc: '2.0', method: 'spot_order', params: order('new', 'new') });
  say({ jsonrpc: '2.0', result: order('new', 'new'), id: commandId });
  say({ jsonrpc: '2.0', method: 'spot_order', params: order('expired', 'expired') });
}

const rows = {
  balances: ['ETH', 'BTC'].map((currency) => ({ currency, available: '1000000000', reserved: '0' })),
};

function answerRead({ commandId, what }: ReadCommand): void {
  const body = what.of === 'balances' ? JSON.stringify(rows.balances) : '[]';
  const head = { commandId, kind: 'read', status: 200, askedAt: real.now(), why: '' } as const;
  account.accept(frame('v3/rest', Buffer.from(encodeCommandEnd(head, body))));
}

const trader = new Trader({
  ...parts,
  // The loop is faster than any feed, and the reactor's quantities come round after 500 orders.
  orderOptions: { ...parts.orderOptions, duplicateMs: 10 },
  clock,
  venue: {
    events: inputs.events(new Observable<Event>((subscriber) => noted.subscribe(subscriber))),
    marketData: inputs.marketData(marketData),
    send,
    close: () => Promise.resolve(),
  },
  journal: new MemoryJournal(),
  budgets,
  run: 'loop',
  strategies: [plan(clock, 'loop')],
});
trader.start('live');
for (const session of ['market', 'trading'] as const) {
  const now = real.now();
  publish({ kind: 'sessionUp', session, exchangeTime: now, receiveTime: now });
}
for (let turns = 0; !trader.started; turns++) {
  if (turns > 10_000) throw new Error('the account was not reconciled');
  for (const read of reads.splice(0)) answerRead(read);
  await nextTurn();
}

const trash = new Float64Array(1_024 * 1_024).fill(1);
const litter = JSON.stringify(Array.from({ length: 400 }, (_, i) => ({ i, text: `${i * 7919}`, list: [i] })));

/** Walks through more than the caches hold, and through code that is not ours. */
function forget(): number {
  let sum = (JSON.parse(litter) as readonly unknown[]).length;
  sum += litter.replaceAll(/\d+/g, (digits) => digits.slice(1)).length;
  for (let i = 0; i < trash.length; i += 8) sum += trash[i] as number;
  return sum;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function trade(): void {
  const price = { t: Math.floor(Date.now()), i: 1, p: '0.060000', q: '0.1000', s: 'buy' };
  const message = { ch: 'trades', snapshot: { [benchSpec.symbol]: [price] } };
  market.accept(frame('v3/public', Buffer.from(JSON.stringify(message))));
}

const updates = updateFrames(4, framesCount, frameDepth);
const own: number[] = [];
const after: number[] = [];
let forgotten = 0;
trade();
market.accept(frame('v3/public', snapshotFrame(frameDepth)));
for (const order of orders.splice(0)) answer(order);
for (const [i, bytes] of updates.entries()) {
  if (i % 1_000 === 0) trade();
  if (isCold) forgotten += forget();
  const before = performance.now();
  const receiveTime = real.now();
  market.accept({ channel: 'v3/public', direction: 'in', bytes, receiveTime });
  const end = performance.now();
  if (orders.length !== 1) throw new Error(`frame ${i} was answered by ${orders.length} orders`);
  if (i >= warmCount) {
    own.push((textAt - before) * 1_000);
    after.push((end - textAt) * 1_000);
  }
  await nextTurn();
  for (const order of orders.splice(0)) answer(order);
  for (const read of reads.splice(0)) answerRead(read);
  await nextTurn();
}
if (text.length < 100 || forgotten < 0) throw new Error('no order was written');
print({
  value: quantile(own, 0.5),
  ownP10: quantile(own, 0.1),
  ownP99: quantile(own, 0.99),
  afterP50: quantile(after, 0.5),
  orders: own.length,
});
process.exit(0);
