import { afterEach, describe, expect, test } from 'vitest';
import type { Amount } from '../../src/core/base/amount.ts';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import { millis } from '../../src/core/base/clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { Random } from '../../src/core/base/random.ts';
import type { Credentials } from '../../src/core/base/secret.ts';
import { Secret } from '../../src/core/base/secret.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { ClientOrderIds } from '../../src/core/model/client-order-id.ts';
import type { CancelOrderCommand, Command, ReadTarget } from '../../src/core/model/command.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Frame } from '../../src/core/model/frame.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../src/core/model/instrument.ts';
import { isMarketData } from '../../src/core/model/market-data.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import type { Product } from '../../src/core/model/product.ts';
import { clientOptions } from '../../src/venues/options.ts';
import type { OpenVenueSetup, VenueModule, VenueSettings } from '../../src/venues/port.ts';
import { Watcher } from '../support/watcher.ts';

/** A venue with its far side in the hand of the test. */
export interface VenueRig {
  readonly settings: VenueSettings;
  readonly credentials: Credentials;
  /** The symbol whose book the far side moves. */
  readonly symbol: string;
  /** A price at which a bid rests, and the lots of an order. */
  readonly bid: { readonly price: Ticks; readonly lots: Lots };
  /** The book changes. */
  move(): void;
  /** A trade is printed. */
  print(): void;
  /** The next change of the book is not sent. */
  loseUpdate(): void;
  /** The next order is not answered. */
  silence(): void;
  /** Every connection is cut. */
  cut(): void;
  close(): Promise<void>;
}

const options = clientOptions.parse({
  rest: { retryMs: 5, timeoutMs: 2_000 },
  socket: { retryMs: 5, attemptsPerMinute: 60 },
  market: { retryMs: 5 },
  calls: { deadlineMs: 300 },
});

/** What every venue keeps to, whatever it speaks. */
export function keepsTheContract(module: VenueModule, start: () => Promise<VenueRig>): void {
  const { capabilities } = module;
  const clock = new SystemClock();
  const ends: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test('a switch that cancels when it is not renewed is there exactly where the venue says so, and answers', async () => {
    const { venue, watcher } = await open();
    expect(venue.keepAlive !== undefined).toBe(capabilities.keepAlive !== undefined);
    if (venue.keepAlive === undefined || capabilities.keepAlive === undefined) return;
    // Without a session there is nobody to arm it.
    expect(await venue.keepAlive(millis(capabilities.keepAlive.msMax))).not.toBe('');
    await watcher.until('sessionUp', ({ session }) => session === 'trading');
    expect(await venue.keepAlive(millis(capabilities.keepAlive.msMax))).toBe('');
    expect(await venue.keepAlive(millis(0))).toBe('');
  });

  async function open(
    changes: Partial<OpenVenueSetup> & { readonly credentials?: Credentials | undefined } = {},
  ) {
    const rig = await start();
    const { settings } = rig;
    const { credentials = 'credentials' in changes ? undefined : rig.credentials, ...parts } = changes;
    const connection = await module.connect({
      settings,
      options,
      credentials,
      clock,
      random: new Random(5),
      log: silentLogger,
    });
    const instruments = await connection.listInstruments();
    const instrument = instruments.get(rig.symbol);
    const watcher = new Watcher();
    const frames: Frame[] = [];
    const venue = connection.open({
      instruments,
      budgets: module.budgets({}, clock),
      subscriptions: [{ instrument: instrument.id, book: true, trades: true, ticker: false, candles: [] }],
      onFrame: (frame) => frames.push(frame),
      ...parts,
    });
    venue.events.subscribe(watcher.take);
    ends.push(
      () => venue.close(),
      () => rig.close(),
    );
    return { rig, connection, instruments, instrument, watcher, frames, venue };
  }

  async function ready(changes: Parameters<typeof open>[0] = {}) {
    const opened = await open(changes);
    await opened.watcher.until('sessionUp', ({ session }) => session === 'trading');
    await opened.watcher.until('bookSnapshot');
    return opened;
  }

  const ids = new ClientOrderIds('gw', 'r1', 'maker');
  const orderOf = ({ rig, instrument }: { rig: VenueRig; instrument: Instrument }): OrderRequest => ({
    clientOrderId: ids.next(),
    instrument: instrument.id,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: rig.bid.lots,
    price: rig.bid.price,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  });
  const placing = (commandId: number, request: OrderRequest): Command => ({
    kind: 'newOrder',
    commandId,
    strategy: 'maker',
    request,
  });
  const settledOf = (watcher: Watcher, commandId: number) =>
    watcher.until('commandSettled', (event) => event.commandId === commandId);

  describe(`the venue ${module.name} keeps the contract`, () => {
    test('says what it can do, and takes the ids that Godwit makes', () => {
      const { clientOrderId, evidence } = capabilities;
      expect(ids.next()).toMatch(clientOrderId.pattern);
      expect('x'.repeat(clientOrderId.lengthMax + 1)).not.toMatch(clientOrderId.pattern);
      expect(Math.min(evidence.absentMs, evidence.aliveMs, evidence.marginMs)).toBeGreaterThan(0);
      expect(module.frames.channels.length).toBeGreaterThan(0);
      expect(module.frames.venue).toBe(module.name);
    });

    test('lists its instruments; fees and margin are as it says', async () => {
      const { rig, instruments } = await open();
      expect(module.addresses(rig.settings).baseUrl).toBe(rig.settings.base_url);
      const spot = instruments.all.filter(({ spec }) => spec.type === 'spot');
      expect(spot.length).toBeGreaterThan(0);
      for (const { spec } of spot) {
        const currency = capabilities.feeCurrency === 'quote' ? spec.quoteCurrency : spec.baseCurrency;
        expect(spec.feeCurrency).toBe(currency);
        if (spec.marginTrading) expect(capabilities.margin).toBe(true);
      }
    });

    test('brings up both sessions, then the whole book, updates in sequence, and trades', async () => {
      const { rig, watcher } = await ready();
      for (let i = 0; i < 3; i++) {
        rig.move();
        await watcher.until('bookUpdate', () => watcher.all('bookUpdate').length > i);
      }
      rig.print();
      await watcher.until('trades', ({ snapshot }) => !snapshot);
      expect(watcher.all('bookStale')).toEqual([]);
      consecutive(watcher.events);
      const first = watcher.kinds().indexOf('sessionUp');
      expect(first).toBeLessThan(watcher.kinds().indexOf('bookSnapshot'));
    });

    test('a lost update makes the book stale until a whole one comes', async () => {
      const { rig, watcher } = await ready();
      rig.loseUpdate();
      // A venue may send several changes as one update.
      const staleAfterMove = (): number => {
        rig.move();
        return watcher.all('bookStale').length;
      };
      await expect.poll(staleAfterMove, { interval: 20 }).toBeGreaterThan(0);
      const gap = await watcher.until('bookStale', ({ reason }) => reason === 'gap');
      expect(gap.found).toBeGreaterThan(gap.expected);
      await watcher.until('bookSnapshot', () => watcher.all('bookSnapshot').length > 1);
      const kinds = watcher.kinds().filter((kind) => kind.startsWith('book'));
      expect(kinds[kinds.indexOf('bookStale') + 1]).toBe('bookSnapshot');
      consecutive(watcher.events);
    });

    test('places, reports and cancels; each command is settled once', async () => {
      const opened = await ready();
      const { venue, watcher } = opened;
      const request = orderOf(opened);
      const { clientOrderId } = request;
      venue.send(placing(1, request));
      expect(await settledOf(watcher, 1)).toMatchObject({
        outcome: 'acknowledged',
        lane: 'new',
        clientOrderId,
      });
      const report = await watcher.until('orderReport', ({ order }) => order.clientOrderId === clientOrderId);
      expect(report.order).toMatchObject({ ...request, state: 'new', cumulative: 0 });
      venue.send(canceling(2, request));
      expect(await settledOf(watcher, 2)).toMatchObject({ outcome: 'acknowledged', lane: 'cancel' });
      await watcher.until('orderReport', ({ order }) => order.state === 'canceled');
      venue.send(canceling(3, request));
      expect(await settledOf(watcher, 3)).toMatchObject({ outcome: 'refused' });
      expect(watcher.all('cancelRejected').map((event) => event.clientOrderId)).toEqual([clientOrderId]);
      const settled = watcher.all('commandSettled').map(({ commandId }) => commandId);
      expect(settled).toEqual([1, 2, 3]);
    });

    test.runIf(capabilities.cancelAll)(
      'one request cancels all orders of a symbol; each cancel in it is settled once',
      async () => {
        const opened = await ready();
        const { venue, watcher } = opened;
        const request = orderOf(opened);
        const second = { ...request, clientOrderId: 'gw-r1-maker-second' as ClientOrderId };
        const gone = { ...request, clientOrderId: 'gw-r1-maker-nowhere' as ClientOrderId };
        venue.send(placing(1, request));
        venue.send(placing(2, second));
        await settledOf(watcher, 2);
        const cancels = [canceling(3, request), canceling(4, second), canceling(5, gone)];
        venue.send({ kind: 'cancelOrders', commandId: 3, instrument: request.instrument, cancels });
        for (const { commandId } of cancels)
          expect(await settledOf(watcher, commandId)).toMatchObject({
            outcome: 'acknowledged',
            lane: 'cancel',
          });
        const ended = watcher.all('orderReport').filter(({ order }) => order.state === 'canceled');
        expect(new Set(ended.map(({ order }) => order.clientOrderId))).toEqual(
          new Set([request.clientOrderId, second.clientOrderId]),
        );
        expect(watcher.all('cancelRejected').map(({ clientOrderId }) => clientOrderId)).toEqual([
          gone.clientOrderId,
        ]);
        const settled = watcher.all('commandSettled').map(({ commandId }) => commandId);
        expect(settled.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
      },
    );

    test('answers every read', async () => {
      const opened = await ready();
      const { venue, watcher } = opened;
      const request = orderOf(opened);
      venue.send(placing(1, request));
      await settledOf(watcher, 1);
      const targets: readonly ReadTarget[] = [
        { of: 'activeOrders' },
        { of: 'balances' },
        { of: 'tradeHistory', since: clock.now() },
        { of: 'orderHistory', clientOrderId: 'gw-r1-maker-nowhere' as ClientOrderId },
      ];
      for (const [at, what] of targets.entries()) {
        venue.send({ kind: 'read', commandId: 2 + at, what });
        const answer = await watcher.until('readAnswered', ({ commandId }) => commandId === 2 + at);
        expect(answer.what).toEqual(what);
        await settledOf(watcher, 2 + at);
      }
      const [active, balances] = watcher.all('readAnswered');
      expect(active?.orders.map(({ clientOrderId }) => clientOrderId)).toEqual([request.clientOrderId]);
      expect(balances?.balances.length).toBeGreaterThan(0);
    });

    test('an outage takes the sessions down and the books out of use, and it comes back', async () => {
      const { rig, watcher } = await ready();
      rig.cut();
      await watcher.until('sessionDown', ({ session }) => session === 'market');
      await watcher.until('sessionDown', ({ session }) => session === 'trading');
      await watcher.until('bookStale', ({ reason }) => reason === 'disconnected');
      await watcher.until('sessionUp', () => watcher.all('sessionUp').length >= 4);
      await watcher.until('bookSnapshot', () => watcher.all('bookSnapshot').length >= 2);
    });

    test('an order that is not answered is settled as unanswered, and never sent again', async () => {
      const opened = await ready();
      const { rig, venue, watcher } = opened;
      rig.silence();
      venue.send(placing(1, orderOf(opened)));
      expect(await settledOf(watcher, 1)).toMatchObject({ outcome: 'unanswered' });
      venue.send({ kind: 'read', commandId: 2, what: { of: 'activeOrders' } });
      const { orders } = await watcher.until('readAnswered');
      expect(orders.length).toBeLessThanOrEqual(1);
      expect(watcher.all('orderRejected')).toEqual([]);
    });

    test('without keys the market comes, and no command leaves', async () => {
      const opened = await open({ credentials: undefined });
      const { venue, watcher } = opened;
      await watcher.until('bookSnapshot');
      venue.send(placing(1, orderOf(opened)));
      expect(watcher.all('commandSettled')).toEqual([]);
      expect(await settledOf(watcher, 1)).toMatchObject({ outcome: 'refused' });
      expect(watcher.all('orderRejected')).toHaveLength(1);
      expect(watcher.all('sessionUp').some(({ session }) => session === 'trading')).toBe(false);
    });

    test('a key that is not accepted is reported, and ends nothing else', async () => {
      const refused = Promise.withResolvers<string>();
      const opened = await open({
        credentials: { apiKey: 'a-key-that-nobody-has', secret: new Secret('none') },
        onLoginRefused: refused.resolve,
      });
      await opened.watcher.until('bookSnapshot');
      expect(await refused.promise).not.toBe('');
    });

    test('what it cannot do is refused, should it be sent after all', async () => {
      const opened = await ready();
      const { venue, watcher } = opened;
      const unable = commandsBeyond(module, orderOf(opened), opened.instrument);
      for (const command of unable) {
        venue.send(command);
        expect(await settledOf(watcher, command.commandId)).toMatchObject({ outcome: 'refused' });
      }
      venue.send({ kind: 'read', commandId: 99, what: { of: 'activeOrders' } });
      expect((await watcher.until('readAnswered')).orders).toEqual([]);
    });

    test.runIf(capabilities.margin)('opens, reports, reads and closes a margin account', async () => {
      const opened = await ready({ products: () => ['spot', 'margin'] });
      const { venue, watcher } = opened;
      const balance = parseAmount('100');
      venue.send(changing(1, opened.instrument, balance));
      expect(await settledOf(watcher, 1)).toMatchObject({ outcome: 'acknowledged', lane: 'replace' });
      const { account } = await watcher.until('marginAccount');
      const { id, spec } = opened.instrument;
      expect(account).toMatchObject({
        mode: 'isolated',
        instrument: id,
        currency: spec.quoteCurrency,
        balance,
      });
      venue.send({ kind: 'read', commandId: 2, what: { of: 'marginAccounts', product: 'margin' } });
      const answer = await watcher.until('readAnswered', ({ commandId }) => commandId === 2);
      expect(answer.marginAccounts).toMatchObject([{ instrument: id, balance, positions: [] }]);
      venue.send(changing(3, opened.instrument, zero));
      await watcher.until('marginAccount', ({ reportType }) => reportType === 'closed');
      venue.send(changing(4, opened.instrument, parseAmount('1000000000000')));
      expect(await settledOf(watcher, 4)).toMatchObject({ outcome: 'refused' });
      expect(watcher.all('marginRejected')).toMatchObject([
        { strategy: 'maker', change: { instrument: id } },
      ]);
    });

    test('recorded frames make the same events again', async () => {
      const products: readonly Product[] = capabilities.margin ? ['spot', 'margin'] : ['spot'];
      const opened = await ready({ products: () => products });
      const { rig, venue, watcher, frames, instruments, instrument } = opened;
      rig.move();
      await watcher.until('bookUpdate');
      rig.print();
      await watcher.until('trades', ({ snapshot }) => !snapshot);
      const request = orderOf(opened);
      const changes = capabilities.margin ? [changing(3, instrument, parseAmount('100'))] : [];
      const commands = [placing(1, request), canceling(2, request), ...changes];
      for (const [at, command] of commands.entries()) {
        venue.send(command);
        await settledOf(watcher, at + 1);
      }
      await watcher.until('orderReport', ({ order }) => order.state === 'canceled');
      const again = replayed(module, { instruments, frames, commands });
      const market = (event: Event) =>
        isMarketData(event) && event.kind !== 'ticker' && event.kind !== 'candles';
      expect(again.filter(market).map(shown)).toEqual(watcher.events.filter(market).map(shown));
      const account = ({ kind }: Event) =>
        kind === 'orderReport' || kind === 'commandSettled' || kind === 'marginAccount';
      expect(again.filter(account)).toEqual(watcher.events.filter(account));
    });

    test('closes clean: in flight is settled, the stream ends, no handle is left', async () => {
      const before = handles();
      const opened = await ready();
      const { rig, venue, watcher } = opened;
      let isOver = false;
      venue.events.subscribe({ complete: () => (isOver = true) });
      rig.silence();
      venue.send(placing(1, orderOf(opened)));
      await venue.close();
      expect(await settledOf(watcher, 1)).toMatchObject({ outcome: 'unanswered' });
      expect(isOver).toBe(true);
      await venue.close();
      await rig.close();
      await expect.poll(handles).toBeLessThanOrEqual(before);
    });
  });
}

function canceling(commandId: number, { clientOrderId, instrument }: OrderRequest): CancelOrderCommand {
  return { kind: 'cancelOrder', commandId, strategy: 'maker', clientOrderId, instrument };
}

/** Margin of the isolated account of a symbol is set. */
function changing(commandId: number, { id, spec }: Instrument, balance: Amount): Command {
  const key = { product: 'margin', mode: 'isolated', instrument: id, currency: spec.quoteCurrency } as const;
  const change = { ...key, balance, leverage: undefined };
  return { kind: 'changeMargin', commandId, strategy: 'maker', change };
}

/** Commands that need more than the venue states. */
function commandsBeyond(
  { capabilities }: VenueModule,
  request: OrderRequest,
  traded: Instrument,
): readonly Command[] {
  const { clientOrderId, instrument, side, quantity, price } = request;
  const commands: Command[] = [];
  if (!capabilities.replace) {
    const newClientOrderId = 'gw-r1-maker-other' as ClientOrderId;
    const changes = { instrument, side, quantity, price, stopPrice: undefined };
    commands.push({
      kind: 'replaceOrder',
      commandId: 50,
      strategy: 'maker',
      clientOrderId,
      newClientOrderId,
      ...changes,
    });
  }
  if (!capabilities.cancelAll)
    commands.push({ kind: 'cancelOrders', commandId: 54, instrument, cancels: [canceling(54, request)] });
  if (capabilities.orderLists.length === 0) {
    const requests = [request, { ...request, clientOrderId: 'gw-r1-maker-second' as ClientOrderId }];
    commands.push({
      kind: 'newOrderList',
      commandId: 51,
      strategy: 'maker',
      contingency: 'oneCancelOther',
      requests,
    });
  }
  if (!capabilities.margin) {
    const margin = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false } as const;
    commands.push(changing(52, traded, zero), {
      kind: 'newOrder',
      commandId: 53,
      strategy: 'maker',
      request: { ...request, margin },
    });
  }
  return commands;
}

/** Updates follow one another, and follow a whole book; none is reported between a gap and the next whole book. */
function consecutive(events: readonly Event[]): void {
  let last: number | undefined;
  for (const event of events) {
    if (event.kind === 'bookStale') last = undefined;
    if (event.kind === 'bookSnapshot') last = event.sequence;
    if (event.kind !== 'bookUpdate') continue;
    expect(event.sequence).toBe((last ?? Number.NaN) + 1);
    last = event.sequence;
  }
}

function replayed(
  module: VenueModule,
  {
    instruments,
    frames,
    commands,
  }: {
    readonly instruments: Instruments;
    readonly frames: readonly Frame[];
    readonly commands: readonly Command[];
  },
): readonly Event[] {
  const events: Event[] = [];
  const publish = (event: Event): void => void events.push(event);
  const market = module.frames.decoder({ instruments, publish });
  const account = module.accountDecoder({ instruments, publish });
  for (const command of commands) account.sent(command);
  for (const frame of frames) {
    expect(module.frames.channels).toContain(frame.channel);
    market.accept(frame);
    account.accept(frame);
  }
  expect(account.unmatched).toBe(0);
  return events;
}

/** An event with its levels as a list: they stand at another place of another array. */
function shown(event: Event): object {
  if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') return event;
  const { levels, start, end, ...rest } = event;
  return { ...rest, levels: Array.from(levels.subarray(start, end)) };
}

function handles(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length;
}
