import { afterEach, describe, expect, test } from 'vitest';
import { parseAmount } from '../../src/core/base/amount.ts';
import { BadInput } from '../../src/core/base/errors.ts';
import { denialCodes } from '../../src/core/model/denial.ts';
import type { Acted, Status } from '../../src/operate/schemas.ts';
import type { ControlRow } from '../../src/operate/views/controls.ts';
import { views } from '../../src/operate/views/all.ts';
import type { HeldRow } from '../../src/operate/views/positions.ts';
import type { OrderRow } from '../../src/operate/views/orders.ts';
import { NewsWatch } from '../../src/operate/news.ts';
import { instrument } from '../core/trader/support/rig.ts';
import type { Rig } from '../core/trader/support/rig.ts';
import type { Operated } from './support.ts';
import { ask, codeOf, operated, reportMargin, tokens } from './support.ts';

let open: Operated | undefined;
afterEach(async () => {
  await open?.server.close();
  open = undefined;
});

async function begin(): Promise<Operated> {
  open = await operated();
  return open;
}

/** An order that rests. */
function rest({ rig }: Operated): string {
  rig.wait(2_000);
  rig.trade(100);
  const id = rig.all('orderPending').at(-1)?.command.request.clientOrderId ?? '';
  rig.report(id, 'new');
  return id;
}

const read = async <Row>(run: Operated, path: string): Promise<Row> =>
  (await ask(run.server, path)).body as Row;
const act = (run: Operated, body: object) => ask(run.server, '/api/acts', { body: { who: 'ann', ...body } });

describe('what is seen', () => {
  test('status, orders, fills and positions are those of the trader, as text', async () => {
    const run = await begin();
    const id = rest(run);
    run.rig.report(id, 'partiallyFilled', 2);
    const status = await read<Status>(run, '/api/status');
    expect(status).toMatchObject({
      run: 'r1',
      mode: 'sim',
      trading: { mode: 'active' },
      sessions: { market: true, trading: true },
      started: true,
      orders: { open: 1, unknown: 0 },
      strategies: [{ name: 'buyer', state: 'running', symbols: ['AAABBB'], params: { size: 3 } }],
    });
    expect(await read<OrderRow[]>(run, '/api/orders')).toMatchObject([
      { clientOrderId: id, symbol: 'AAABBB', side: 'buy', quantity: '3', executed: '2', price: '99' },
    ]);
    expect(await read<OrderRow>(run, `/api/orders/${id}`)).toMatchObject({ state: 'partiallyFilled' });
    expect(await read(run, '/api/fills')).toMatchObject([{ clientOrderId: id, quantity: '2', price: '99' }]);
    expect(await read<HeldRow[]>(run, '/api/positions')).toMatchObject([
      { strategy: 'buyer', quantity: '2', averagePrice: '99', price: '100', unrealized: '2', realized: '0' },
    ]);
    expect(await read(run, '/api/books/AAABBB')).toEqual({
      symbol: 'AAABBB',
      status: 'live',
      tick: '1',
      spread: '2',
      spreadBp: 200,
      bids: [['99', '50']],
      asks: [['101', '50']],
    });
    expect(await read(run, '/api/feeds')).toMatchObject([
      { symbol: 'AAABBB', status: 'live', bid: '99', gaps: 0 },
    ]);
    expect(await read(run, '/api/limits')).toContainEqual({
      name: 'limits.openOrdersMax',
      of: 'buyer',
      used: '1',
      limit: '200',
      unit: 'orders',
    });
    expect(codeOf(await ask(run.server, '/api/books/NOPE'))).toBe('NOT_FOUND');
  });

  test('a margin account is shown with its positions, and a change on its way', async () => {
    const run = await begin();
    expect(await read(run, '/api/margin')).toEqual([]);
    reportMargin(run.rig);
    const account = {
      product: 'margin',
      mode: 'isolated',
      symbol: 'AAABBB',
      currency: 'BBB',
      leverage: '10',
      balance: '50',
      reservedOrders: '1',
      reservedPositions: '20.5',
      callMargin: '9',
      liquidationMargin: '6',
      called: true,
      changing: false,
      updatedAt: new Date(run.rig.clock.now() / 1_000).toISOString(),
      positions: [
        {
          symbol: 'AAABBB',
          mode: 'isolated',
          quantity: '-2',
          unit: 'AAA',
          entry: '98',
          price: '100',
          marginCallPrice: '110',
          liquidationPrice: '115',
          liquidationPercent: '15.0',
          currency: 'BBB',
          leverage: '10',
          pnl: '-0.5',
          pnlCurrency: 'BBB',
        },
      ],
    };
    expect(await read(run, '/api/margin')).toEqual([account]);
    const balances = await read<object[]>(run, '/api/balances');
    expect(balances.slice(0, -1)).toMatchObject([
      { wallet: 'spot', account: null, currency: 'AAA' },
      { wallet: 'spot', account: null, currency: 'BBB' },
    ]);
    expect(balances.at(-1)).toEqual({
      wallet: 'marginAccount',
      account: 'margin isolated AAABBB',
      currency: 'BBB',
      available: '28.5',
      reserved: '21.5',
    });
    const headers = { authorization: `Bearer ${tokens.operate}` };
    const metrics = await (await fetch(`${run.server.url}/metrics`, { headers })).text();
    const labels = '{account="margin isolated AAABBB",currency="BBB"}';
    expect(metrics).toContain(`godwit_margin_available${labels} 28.5`);
    expect(metrics).toContain(`godwit_margin_reserved${labels} 21.5`);
  });

  test('differences with the venue are one description: list, card, live rows and metric agree', async () => {
    const run = await begin();
    const { rig } = run;
    expect(await read(run, '/api/differences')).toEqual([]);
    const difference = {
      key: 'execution 0 buy 77',
      kind: 'execution',
      product: 'spot',
      instrument,
      strategy: 'buyer',
      clientOrderId: 'gw-1' as never,
      cause: 'trade 77 was reported, and the trade history does not show it',
      amount: parseAmount('-3'),
      unit: 'AAA',
      since: 1_700_000_000_000_000 as never,
      reads: 2,
    } as const;
    rig.subject.next({ kind: 'differenceFound', ...rig.times, difference });
    const [row, ...more] = await read<Record<string, unknown>[]>(run, '/api/differences');
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      kind: 'execution',
      symbol: 'AAABBB',
      currency: null,
      order: 'gw-1',
      amount: '-3',
      reads: 2,
      since: '2023-11-14T22:13:20.000Z',
      endsWhen: 'the trade history or the order shows the execution',
    });
    const [card] = await read<{ columns: { field: string }[] }[]>(run, '/api/views');
    expect(card).toMatchObject({ name: 'differences', title: 'Differences with the venue', key: 'key' });
    expect(card?.columns.every(({ field }) => row !== undefined && field in row)).toBe(true);
    const headers = { authorization: `Bearer ${tokens.operate}` };
    const metrics = await (await fetch(`${run.server.url}/metrics`, { headers })).text();
    expect(metrics).toContain('godwit_differences{kind="execution"} 1');
    expect(metrics).toContain('godwit_differences{kind="terms"} 0');
    rig.subject.next({ kind: 'differenceEnded', ...rig.times, key: difference.key, why: '' });
    expect(await read(run, '/api/differences')).toEqual([]);
  });

  const instrumentOf = { instrument } as const;
  const mode = (rig: Rig, more: object): void =>
    rig.subject.next({ kind: 'modeChanged', ...rig.times, mode: 'halted', latched: false, ...more } as never);
  test.each<[string, string, (rig: Rig) => void]>([
    [
      'a crossed book',
      'bookCrossed',
      (rig) => {
        rig.book(102, 101);
        stale(rig, 'crossed');
      },
    ],
    ['a stale feed', 'bookStale', (rig) => stale(rig, 'silent')],
    ['a book that reads show otherwise', 'bookStale', (rig) => stale(rig, 'differs')],
    ['a refused book', 'bookRefused', (rig) => stale(rig, 'refused')],
    [
      'a refused subscription',
      'feedRefused',
      (rig) => {
        const since = rig.clock.now();
        const why = '2003 no';
        const [kind, subject, what] = ['feedRefused', 'AAABBB', 'the trades of AAABBB'] as const;
        rig.refusals = [{ kind, subject, what, why, since, nextLook: (since + 1) as never }];
      },
    ],
    [
      'a suspended symbol',
      'symbol',
      (rig) =>
        rig.subject.next({ kind: 'instrumentChanged', ...instrumentOf, status: 'suspended', ...rig.times }),
    ],
    [
      'an unreadable row',
      'unread',
      (rig) => {
        rig.isDeaf = true;
        rig.trader.unread('order report: state: expected a status');
      },
    ],
    ['a halt of many unknown orders', 'manyUnknown', (rig) => mode(rig, { why: 'x', manyUnknown: true })],
    [
      'a disk without room for the journal',
      'unwritten',
      (rig) => mode(rig, { why: 'the disk has no room for the journal', unwritten: true }),
    ],
    ['a latched halt', 'halted', (rig) => rig.trader.halt('a step failed')],
    [
      'a session that is down',
      'sessionDown',
      (rig) => rig.subject.next({ kind: 'sessionDown', session: 'trading', why: 'cut', ...rig.times }),
    ],
  ])('%s is a row of the differences, in the words of status, page and news', async (_what, kind, begins) => {
    const run = await begin();
    const { rig } = run;
    const received: string[] = [];
    const { trader, clock } = rig;
    const watch = new NewsWatch({ trader, clock } as never, ({ text }) => received.push(text));
    rig.trader.watch(({ event }) => watch.observe(event));
    begins(rig);
    rig.wait(1);
    const { safeStates } = await read<Status>(run, '/api/status');
    const state = safeStates.find((one) => one.kind === kind);
    if (state === undefined) throw new Error(`expected ${kind}, found ${JSON.stringify(safeStates)}`);
    const { subject, cause, since, endsWhen, nextLook } = state;
    expect([subject, cause, endsWhen].every((text) => text.length > 0) && since !== null).toBe(true);
    // What evidence ends has a next look, which a journal in memory has not; the rest says that it waits for a person.
    expect(nextLook !== null || kind === 'unwritten' || endsWhen === 'an operator clears it').toBe(true);
    const rows = await read<Record<string, unknown>[]>(run, '/api/differences');
    expect(rows.filter((row) => row['kind'] === kind)).toMatchObject([
      { cause, since, endsWhen, nextLook, reads: null, amount: null },
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    rig.wait(10_500);
    watch.close();
    if (kind !== 'feedRefused') expect(received.join('\n')).toContain(`until ${endsWhen}`);
  });

  function stale(rig: Rig, reason: 'silent' | 'differs' | 'refused' | 'crossed'): void {
    rig.subject.next({ kind: 'bookStale', ...instrumentOf, reason, expected: 0, found: 0, ...rig.times });
  }

  test('a fill that never was is in no list once it is withdrawn', async () => {
    const run = await begin();
    const { rig } = run;
    rig.report(rest(run), 'filled', 3);
    rig.trades.length = 0;
    expect(await read<unknown[]>(run, '/api/fills')).toHaveLength(1);
    rig.trader.act({ act: 'flatten', strategy: undefined }, 'ann', '');
    rig.wait(200_000);
    expect(rig.all('executionCorrected')).toHaveLength(1);
    expect(await read(run, '/api/fills')).toEqual([]);
  });

  test('every code that refuses is listed, what it refused last first', async () => {
    const run = await begin();
    const before = await read<ControlRow[]>(run, '/api/controls');
    expect(before.map(({ code }) => code)).toEqual([...denialCodes]);
    expect(before.every(({ denied, why }) => denied === 0 && why === null)).toBe(true);
    run.rig.trader.act({ act: 'pause', strategy: undefined }, 'ann', 'lunch');
    for (const _ of [1, 2]) {
      run.rig.wait(2_000);
      run.rig.trade(100);
    }
    const denial = run.rig.all('orderDenied').at(-1);
    const [first, second] = await read<ControlRow[]>(run, '/api/controls');
    expect(first).toEqual({
      code: 'PAUSED',
      denied: 2,
      strategy: 'buyer',
      time: new Date((denial?.receiveTime ?? 0) / 1_000).toISOString(),
      why: denial?.denial.why,
    });
    expect(second).toEqual(before[0]);
  });

  test('a strategy has its path, its parameters with defaults, and their schema; a secret is not shown', async () => {
    const run = await begin();
    expect(await read(run, '/api/strategies')).toEqual([
      {
        name: 'buyer',
        kind: 'live',
        state: 'running',
        why: '',
        off: false,
        symbols: ['AAABBB'],
        fills: 0,
        profit: {},
        shadow: null,
        path: 'strategies/buyer',
        params: { pace: 7, size: 3, apiKey: '[secret]' },
        schema: {
          type: 'object',
          properties: { pace: { type: 'integer', default: 7 }, apiKey: { type: 'string' } },
        },
      },
    ]);
    expect(JSON.stringify(await read(run, '/api/status'))).not.toContain('of-nobody');
  });

  test('a shadow stands with its strategy, with what each has come to', async () => {
    const run = await begin();
    run.shadow = {
      path: 'strategies/newer',
      params: { size: 4, apiKey: 'x' },
      state: 'stopped',
      why: 'a hang',
    };
    run.rig.report(rest(run), 'partiallyFilled', 2);
    // The trader of the test stands for that of the shadows, too.
    const figures = { fills: 1, profit: { BBB: expect.closeTo(2, 5) } };
    expect((await read<Status>(run, '/api/status')).strategies).toMatchObject([
      {
        name: 'buyer',
        kind: 'live',
        ...figures,
        shadow: {
          kind: 'shadow',
          state: 'stopped',
          why: 'a hang',
          path: 'strategies/newer',
          params: { size: 4, apiKey: '[secret]' },
          ...figures,
        },
      },
    ]);
    // A shadow that is stopped has no curve any more.
    const kinds = (): readonly string[] => run.server.view.strategyProfits().map(({ kind }) => kind);
    expect(kinds()).toEqual(['live']);
    run.shadow = { ...run.shadow, state: 'running', why: '' };
    expect(kinds()).toEqual(['live', 'shadow']);
  });

  test('health and readiness need no token; a halted run is not ready, with the reason', async () => {
    const run = await begin();
    expect((await ask(run.server, '/health', { token: '' })).status).toBe(200);
    expect((await ask(run.server, '/ready', { token: '' })).status).toBe(200);
    await act(run, { act: 'halt', why: 'a test' });
    const answer = await ask(run.server, '/ready', { token: '' });
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: { code: 'NOT_READY', message: 'trading is halted: a test, by ann' } },
    ]);
  });

  test('the OpenAPI document names every row with the schema of its answer', async () => {
    const run = await begin();
    const { openapi, paths } = await read<{
      openapi: string;
      paths: Record<string, Record<string, { responses: Record<string, object>; requestBody?: object }>>;
    }>(run, '/openapi.json');
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths).toSorted()).toEqual(
      [
        ...views.map(({ name }) => `/api/${name}`),
        '/api/acts',
        '/api/books/{symbol}',
        '/api/candles/{symbol}/{period}',
        '/api/curve',
        '/api/orders/{id}',
        '/api/orders/{id}/explain',
        '/api/status',
        '/api/strategies',
        '/api/versions',
        '/api/views',
        '/health',
        '/ready',
      ].toSorted(),
    );
    expect(JSON.stringify(paths['/api/acts']?.['post']?.requestBody)).toContain('"cancelAll"');
    expect(JSON.stringify(paths['/api/orders']?.['get']?.responses['200'])).toContain('clientOrderId');
  });
});

describe('what is done', () => {
  test('pause, resume, reduce, cancel and cancel all reach the trader with who and why', async () => {
    const run = await begin();
    const id = rest(run);
    expect((await act(run, { act: 'pause', strategy: 'buyer', why: 'lunch' })).body).toMatchObject({
      done: true,
    });
    expect((await read<Status>(run, '/api/status')).strategies).toMatchObject([
      { state: 'paused', why: 'lunch, by ann' },
    ]);
    await act(run, { act: 'resume' });
    await act(run, { act: 'cancel', clientOrderId: id });
    await act(run, { act: 'cancelAll', symbol: 'AAABBB' });
    await act(run, { act: 'reduce' });
    expect(run.acts.map((one) => [one.act.act, one.who, one.why])).toEqual([
      ['pause', 'ann', 'lunch'],
      ['resume', 'ann', ''],
      ['cancel', 'ann', ''],
      ['cancelAll', 'ann', ''],
      ['reduce', 'ann', ''],
    ]);
    expect(run.rig.all('cancelPending')).toHaveLength(1);
    expect(run.rig.trader.view.mode).toBe('reducing');
  });

  test('a halt is cleared in two steps; a wrong or a used code does nothing', async () => {
    const run = await begin();
    await act(run, { act: 'halt', why: 'a test' });
    const first = (await act(run, { act: 'clear' })).body as Acted;
    expect(first).toMatchObject({ done: false });
    expect(run.rig.trader.view.mode).toBe('halted');
    expect(codeOf(await act(run, { act: 'clear', confirm: 'wrong' }))).toBe('CONFIRM');
    expect(codeOf(await act(run, { act: 'clear', confirm: first.confirm }))).toBe('CONFIRM');
    const second = (await act(run, { act: 'clear' })).body as Acted;
    expect((await act(run, { act: 'clear', confirm: second.confirm })).body).toMatchObject({ done: true });
    expect(run.rig.trader.view.mode).toBe('active');
  });

  test('where nothing holds there is nothing to clear, and no second step', async () => {
    const run = await begin();
    expect((await act(run, { act: 'clear' })).body).toEqual({
      done: true,
      text: 'there is nothing to clear: trading is active, and no limit on loss was reached',
    });
    expect(run.rig.all('operatorActed')).toEqual([]);
  });

  test('what is not there, or has ended, is refused, and nothing is recorded', async () => {
    const run = await begin();
    const id = rest(run);
    run.rig.report(id, 'canceled');
    expect(codeOf(await act(run, { act: 'cancel', clientOrderId: 'nobody-knows-it' }))).toBe('NOT_FOUND');
    expect(codeOf(await act(run, { act: 'cancel', clientOrderId: id }))).toBe('ENDED');
    expect(codeOf(await act(run, { act: 'pause', strategy: 'other' }))).toBe('NOT_FOUND');
    expect(codeOf(await act(run, { act: 'cancelAll', symbol: 'NOPE' }))).toBe('NOT_FOUND');
    await act(run, { act: 'halt' });
    expect(codeOf(await act(run, { act: 'flatten' }))).toBe('HALTED');
    expect(run.rig.all('operatorActed').map((one) => one.act.act)).toEqual(['halt']);
  });

  test('one strategy is stopped, started and given parameters; what it does not take is refused in its sentence', async () => {
    const run = await begin();
    const id = rest(run);
    expect(codeOf(await act(run, { act: 'startStrategy', strategy: 'buyer' }))).toBe('RUNNING');
    await act(run, { act: 'setParams', strategy: 'buyer', params: { size: 4 }, why: 'calm' });
    expect(run.changed).toEqual([{ strategy: 'buyer', changes: { size: 4 }, who: 'ann', why: 'calm' }]);
    expect((await act(run, { act: 'stopStrategy', strategy: 'buyer', why: 'lunch' })).body).toMatchObject({
      done: true,
    });
    expect(run.rig.all('cancelPending')).toMatchObject([{ command: { clientOrderId: id } }]);
    expect((await read<Status>(run, '/api/status')).strategies).toMatchObject([
      { state: 'stopped', why: 'lunch, by ann', off: true },
    ]);
    expect(codeOf(await act(run, { act: 'stopStrategy', strategy: 'buyer' }))).toBe('STOPPED');
    const refused = await act(run, { act: 'startStrategy', strategy: 'buyer' });
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: { code: 'PARAMS', message: 'strategy buyer: param size: found 3, expected text' } },
    ]);
    expect(codeOf(await act(run, { act: 'stopStrategy', strategy: 'other' }))).toBe('NOT_FOUND');
  });

  test('a strategy that was stopped and has not ended yet can be started', async () => {
    const run = await begin();
    const { rig } = run;
    // As a strategy in a worker is between the act and its end.
    const stopped = { kind: 'operatorActed', who: 'ann', why: '', ...rig.times } as const;
    rig.subject.next({ ...stopped, act: { act: 'stopStrategy', strategy: 'buyer' } });
    expect([rig.trader.view.off('buyer'), rig.trader.view.stopped('buyer')]).toEqual(['by ann', undefined]);
    const started = await act(run, { act: 'startStrategy', strategy: 'buyer' });
    // The act reaches the strategy, whose parameter is at fault in this rig, and is not refused because it runs.
    expect(codeOf(started)).toBe('PARAMS');
  });

  const collar = { name: 'orders.collarPercent', from: '5', to: '3' };

  test('a reload that raises no limit is done at once, and says what changed', async () => {
    const run = await begin();
    expect((await act(run, { act: 'reload' })).body).toEqual({
      done: true,
      text: 'the configuration was read again: nothing has changed',
      changes: [],
    });
    run.reloads = () => ({ changes: [collar], raises: [] });
    expect((await act(run, { act: 'reload', why: 'calm' })).body).toEqual({
      done: true,
      text: 'the configuration was read again: 1 setting taken over',
      changes: [collar],
    });
    expect(run.reloaded).toEqual([', by ann', 'calm, by ann']);
  });

  test('a reload that raises a limit takes two steps, and its code is for nothing else', async () => {
    const run = await begin();
    const changes = [{ ...collar, to: '6' }];
    run.reloads = () => ({ changes, raises: ['orders.collarPercent'] });
    const first = (await act(run, { act: 'reload' })).body as Acted;
    expect(first).toMatchObject({ done: false, changes });
    expect(first.text).toContain('this allows more than before: orders.collarPercent');
    expect(run.reloaded).toEqual([]);
    // The file was edited between the steps.
    run.reloads = () => ({ changes, raises: ['orders.collarPercent', 'orders.marketOrders'] });
    expect(codeOf(await act(run, { act: 'reload', confirm: first.confirm }))).toBe('CONFIRM');
    run.reloads = () => ({ changes, raises: ['orders.collarPercent'] });
    expect(codeOf(await act(run, { act: 'reload', confirm: first.confirm }))).toBe('CONFIRM');
    await act(run, { act: 'reduce' });
    const clearing = (await act(run, { act: 'clear' })).body as Acted;
    expect(codeOf(await act(run, { act: 'reload', confirm: clearing.confirm }))).toBe('CONFIRM');
    const again = (await act(run, { act: 'reload' })).body as Acted;
    expect(codeOf(await act(run, { act: 'clear', confirm: again.confirm }))).toBe('CONFIRM');
    expect(run.reloaded).toEqual([]);
    const second = (await act(run, { act: 'reload' })).body as Acted;
    const done = await act(run, { act: 'reload', confirm: second.confirm });
    expect([done.status, done.body]).toMatchObject([200, { done: true, changes }]);
    expect(run.reloaded).toEqual([', by ann']);
  });

  test('a configuration that cannot be taken over is refused in its sentence', async () => {
    const run = await begin();
    run.reloads = () => {
      throw new BadInput('venue.base_url changed: that needs a restart');
    };
    const refused = await act(run, { act: 'reload' });
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: { code: 'RELOAD', message: 'venue.base_url changed: that needs a restart' } },
    ]);
    const reader = await ask(run.server, '/api/acts', { token: tokens.read, body: { act: 'reload' } });
    expect(reader.status).toBe(403);
  });

  test('a shadow is promoted in two steps, and not while the strategy is not flat', async () => {
    const run = await begin();
    const promote = (more: object = {}) =>
      act(run, { act: 'promote', strategy: 'buyer', why: 'better', ...more });
    expect(codeOf(await promote())).toBe('NO_SHADOW');
    expect(codeOf(await promote({ strategy: 'other' }))).toBe('NOT_FOUND');
    const params = { size: 4, apiKey: 'of-another' };
    run.shadow = { path: 'strategies/newer', params, state: 'running', why: '' };
    const first = (await promote()).body as Acted;
    expect(first).toMatchObject({
      done: false,
      text: 'strategy buyer: path strategies/buyer becomes strategies/newer, size 3 becomes 4. Send the code within a minute to promote its shadow',
    });
    expect(run.changed).toEqual([]);
    // The code is for what was shown.
    run.shadow = { ...run.shadow, params: { ...params, size: 5 } };
    expect(codeOf(await promote({ confirm: first.confirm }))).toBe('CONFIRM');
    await act(run, { act: 'reduce' });
    const clear = (await act(run, { act: 'clear' })).body as Acted;
    expect(codeOf(await promote({ confirm: clear.confirm }))).toBe('CONFIRM');
    const cleared = (await act(run, { act: 'clear' })).body as Acted;
    await act(run, { act: 'clear', confirm: cleared.confirm });

    const id = rest(run);
    const held = (await promote()).body as Acted;
    const refused = await promote({ confirm: held.confirm });
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: { code: 'NOT_PROMOTED', message: 'strategy buyer is not flat' } },
    ]);
    run.rig.report(id, 'canceled');
    const again = (await promote()).body as Acted;
    expect((await promote({ confirm: again.confirm })).body).toMatchObject({ done: true });
    expect(run.changed).toEqual([{ promoted: 'buyer', who: 'ann', why: 'better' }]);
  });

  test('stop asks the daemon to end, with the reason', async () => {
    const run = await begin();
    await act(run, { act: 'stop', why: 'the night' });
    expect(run.stops).toEqual(['the night, by ann']);
  });
});
