import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../../../src/core/base/clock.ts';
import { silentLogger } from '../../../../../src/core/base/logger.ts';
import { Random } from '../../../../../src/core/base/random.ts';
import { VirtualClock } from '../../../../../src/core/base/virtual-clock.ts';
import { ApiBudgets } from '../../../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../../../src/venues/hitbtc/budgets/options.ts';
import type { ClientOptionsInput } from '../../../../../src/venues/options.ts';
import { clientOptions } from '../../../../../src/venues/options.ts';
import { RestClient } from '../../../../../src/venues/hitbtc/client/rest/rest.ts';
import { SymbolWatch } from '../../../../../src/venues/hitbtc/client/rest/symbol-list.ts';
import type {
  InstrumentSpec,
  InstrumentStatus,
  Lots,
  Ticks,
} from '../../../../../src/core/model/instrument.ts';
import { encodeSymbol } from '../../../../../src/venues/hitbtc/wire/resources/symbol.ts';
import { newOrder } from '../support/commands.ts';
import { quickOptions, Stage } from '../support/exchange.ts';
import { answer, StubHttpServer } from '../support/stub-http-server.ts';
import { twoInstruments } from '../support/instruments.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('over real sockets', () => {
  const startStage = async (statusMs: number): Promise<Stage> => {
    const stage = await Stage.start({
      options: { ...quickOptions, market: { ...quickOptions.market, statusMs } },
    });
    closers.push(() => stage.close());
    await stage.ready();
    return stage;
  };
  const setStatus = (stage: Stage, status: InstrumentStatus): void => {
    const instrument = stage.server.instruments.get('ETHUSDT').id;
    stage.server.core.handle({ kind: 'setStatus', instrument, status });
  };
  const received = (stage: Stage) =>
    stage.watcher
      .all('instrumentChanged')
      .map(({ instrument, status }) => `${stage.instruments.at(instrument).symbol} ${status}`);

  test('each status a symbol comes to is reported once, within the period', async () => {
    const stage = await startStage(5);
    for (const status of ['suspended', 'clearing', 'working'] as const) {
      setStatus(stage, status);
      await stage.watcher.until('instrumentChanged', (event) => event.status === status);
    }
    expect(received(stage)).toEqual(['ETHUSDT suspended', 'ETHUSDT clearing', 'ETHUSDT working']);
  });

  test('an order refused because its symbol is closed has the list read at once, not at the end of the period', async () => {
    const stage = await startStage(600_000);
    setStatus(stage, 'suspended');
    const instrument = stage.instruments.get('ETHUSDT').id;
    stage.venue.send(newOrder(1, undefined, { instrument, quantity: 500 as Lots, price: 300_000 as Ticks }));
    expect(await stage.watcher.until('orderRejected')).toMatchObject({ code: 20_010 });
    await stage.watcher.until('instrumentChanged', ({ status }) => status === 'suspended');
    expect(received(stage)).toEqual(['ETHUSDT suspended']);
  });

  test('what changed while the line was cut is reported when it is back', async () => {
    const stage = await startStage(600_000);
    setStatus(stage, 'clearing');
    stage.server.faults.closeSockets(1012, 'restart');
    await stage.watcher.until('instrumentChanged', ({ status }) => status === 'clearing');
  });
});

describe('with a venue that answers as asked', () => {
  const instruments = twoInstruments();
  const [first, second] = instruments.all.map(({ spec }) => spec) as [InstrumentSpec, InstrumentSpec];

  /** A watch that reads ten times a second of a virtual clock. */
  const startWatch = async (market: ClientOptionsInput['market'] = {}) => {
    const clock = new VirtualClock(seconds(1_700_000_000));
    const server = await StubHttpServer.start();
    const options = clientOptions.parse({ market: { statusMs: 100, ...market } });
    const rest = new RestClient({ baseUrl: server.url, clock, random: new Random(1), options: options.rest });
    const life = new AbortController();
    const received: string[] = [];
    const errors: unknown[] = [];
    const budgets = new ApiBudgets(budgetOptions.parse({}), clock);
    const watch = new SymbolWatch({
      clock,
      log: { ...silentLogger, error: (fields: unknown) => errors.push(fields) },
      rest,
      budgets,
      instruments,
      options: options.market,
      signal: life.signal,
      wanted: () => instruments.all.map(({ id }) => id),
      publish: ({ instrument, status }) => received.push(`${instruments.at(instrument).symbol} ${status}`),
    });
    closers.push(async () => {
      life.abort();
      watch.close();
      await rest.close();
      await server.close();
    });
    const list = (...specs: readonly InstrumentSpec[]): void => {
      const body = Object.fromEntries(specs.map((spec) => [spec.symbol, encodeSymbol('v3', spec)]));
      server.handler = (_seen, response) => answer(response, 200, body);
    };
    /** Time passes until the list was read twice: what the first answer said was taken in then. */
    const rounds = async (): Promise<void> => {
      const from = server.seen.length;
      while (server.seen.length < from + 2) {
        clock.advance(millis(10));
        await turn();
      }
    };
    watch.hurry();
    return { clock, server, watch, received, errors, budgets, list, rounds };
  };

  test('a symbol that is listed no more is reported as expired, and as working when it is back', async () => {
    const { list, rounds, received } = await startWatch();
    list(first);
    await rounds();
    expect(received).toEqual(['CCCBBB expired']);
    list(first, second);
    await rounds();
    expect(received).toEqual(['CCCBBB expired', 'CCCBBB working']);
  });

  test.each([
    ['tick size', { tickSize: '0.001' }],
    ['quantity increment', { quantityIncrement: '0.1' }],
  ])('a symbol with another %s is held as suspended, with an error that says why', async (_, change) => {
    const { list, rounds, received, errors } = await startWatch();
    list({ ...first, ...change }, second);
    await rounds();
    expect(received).toEqual(['AAABBB suspended']);
    expect(errors).toEqual([expect.objectContaining({ symbol: 'AAABBB', ...change })]);
  });

  test('a grid that is only printed otherwise, and other fees, change nothing', async () => {
    const { list, rounds, received } = await startWatch();
    list({ ...first, tickSize: '0.010', takeRate: '0.002' }, second);
    await rounds();
    expect(received).toEqual([]);
  });

  test.each<readonly [string, number, unknown]>([
    ['no list', 200, '[1,2]'],
    ['no JSON', 200, '<html>'],
    ['a list with a broken row', 200, { AAABBB: { type: 'spot' } }],
    ['an answer to another question', 200, { id: 7, client_order_id: 'gw-test-00001', symbol: 'AAABBB' }],
    ['an outage', 503, { error: { code: 503, message: 'Service Unavailable' } }],
  ])('%s says nothing about any symbol', async (_, status, body) => {
    const { server, list, rounds, received } = await startWatch();
    server.handler = (_seen, response) => answer(response, status, body);
    await rounds();
    expect(received).toEqual([]);
    list(first, { ...second, status: 'clearing' });
    await rounds();
    expect(received).toEqual(['CCCBBB clearing']);
  });

  test('a venue that refuses a list for a symbol it does not know is asked for each: that one is expired', async () => {
    const { server, rounds, received } = await startWatch();
    server.handler = ({ url }, response) => {
      if (url.includes('CCCBBB'))
        answer(response, 400, { error: { code: 2_001, message: 'Symbol not found' } });
      else answer(response, 200, { AAABBB: encodeSymbol('v3', first) });
    };
    await rounds();
    await rounds();
    expect(received).toEqual(['CCCBBB expired']);
  });

  test('many symbols are asked for in parts, each counted against the budget', async () => {
    const { server, list, rounds, received, budgets } = await startWatch({ symbolsPerRequest: 1 });
    list({ ...first, status: 'suspended' }, { ...second, status: 'suspended' });
    await rounds();
    await rounds();
    expect(server.seen.slice(0, 3).map(({ url }) => url)).toEqual([
      '/api/3/public/symbol?symbols=AAABBB',
      '/api/3/public/symbol?symbols=CCCBBB',
      '/api/3/public/symbol?symbols=AAABBB',
    ]);
    expect(received).toEqual(['AAABBB suspended', 'CCCBBB suspended']);
    expect(budgets.usageOf('restPublic').inUse).toBeGreaterThan(0);
  });

  test('however often it is hurried, the list is read once a second', async () => {
    const { clock, server, list, watch } = await startWatch({ statusMs: 600_000 });
    list(first, second);
    const from = clock.uptime();
    while (server.seen.length < 3) {
      watch.hurry();
      clock.advance(millis(10));
      await turn();
    }
    expect(clock.uptime() - from).toBeGreaterThanOrEqual(seconds(2));
  });
});
