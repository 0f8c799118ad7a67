import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { Summary } from '../../src/research/report/fold/summary.ts';
import type { Doubt } from '../../src/research/report/document/document.ts';
import { doubtCodes, exitSentence, warningOf } from '../../src/research/report/document/document.ts';
import { dataDoubts, runDoubts } from '../../src/research/report/figures/run-doubts.ts';
import { run } from './cli/support/run.ts';

const buyer = fileURLToPath(new URL('./fixtures/buyer.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'doubts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** Daily bars on days counted from Monday, 1 January 2024. */
function bars(name: string, days: readonly number[]): void {
  const rows = days.map((day, i) => {
    const time = new Date(Date.UTC(2024, 0, 1 + day)).toISOString();
    const price = 100 + (i % 5);
    return `${time},${price},${price + 1},${price - 1},${price},10`;
  });
  put(name, `${['time,open,high,low,close,volume', ...rows].join('\n')}\n`);
}
const days = (count: number): number[] => Array.from({ length: count }, (_, day) => day);
bars('whole.csv', days(60));
bars(
  'gaps.csv',
  days(80).filter((day) => day < 30 || day > 50),
);
put(
  'torn.csv',
  'time,open,high,low,close,volume\n2024-01-01T00:00:00Z,1,2,1,1,1\n2024-01-02T00:00:00Z,1,x\n',
);

// It buys and sells in turn; with \`remembers\` what it knows of earlier runs decides which comes first.
put(
  'turns.ts',
  `import { defineStrategy, z } from 'godwit/strategy';
let runs = 0;
export default defineStrategy({
  name: 'turns',
  params: z.strictObject({ remembers: z.boolean().default(false), size: z.number().default(1), fails: z.boolean().default(false) }),
  feeds: () => [{ symbol: 'ABC', candles: ['D1'] }],
  create: ({ params, orders }) => {
    runs += 1;
    let bar = params.remembers ? runs : 0;
    return {
      onCandle() {
        if (params.fails) throw new Error('enough');
        const side = bar % 2 === 0 ? 'buy' : 'sell';
        bar += 1;
        orders.place({ symbol: 'ABC', side, type: 'market', quantity: String(params.size) });
      },
    };
  },
});
`,
);

// It holds one, has bids below, and then protects or leaves its position.
put(
  'ladder.ts',
  `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'ladder',
  params: z.strictObject({ way: z.enum(['stop', 'leave', 'leaveAtOnce', 'profit']), side: z.enum(['buy', 'sell']).default('buy') }),
  feeds: () => [{ symbol: 'ABC', candles: ['D1'] }],
  create: ({ params, orders, log }) => {
    const { way, side } = params;
    const symbol = 'ABC';
    const exit = { symbol, side: side === 'buy' ? 'sell' : 'buy', quantity: '1' };
    const from = (distance) => String(side === 'buy' ? 100 - distance : 104 + distance);
    let bar = 0;
    return {
      onCandle() {
        bar += 1;
        if (bar === 2) orders.place({ symbol, side, type: 'market', quantity: '1' });
        if (bar === 4) for (const distance of [8, 9]) orders.place({ symbol, side, price: from(distance), quantity: '1' });
        if (bar === 4 && way === 'profit') orders.place({ ...exit, price: from(-14) });
        if (bar === 6 && way === 'stop') orders.place({ ...exit, type: 'stopMarket', stopPrice: from(12) });
        if (bar !== 6 || way === 'stop') return;
        if (way !== 'leaveAtOnce') orders.cancelAll();
        orders.place({ ...exit, type: 'market' });
      },
      onFill: (fill, order) => log.info('filled ' + order.side),
      onOrder: (order, denial) => denial && log.info('denied ' + denial.code),
    };
  },
});
`,
);

function scenario(name: string, change: Readonly<Record<string, string>> = {}): string {
  const terms = {
    name,
    data: '[whole.csv]',
    instrument: `{ symbol: ABC, base: ABC, quote: USD, tick: '0.01', lot: '1', fees: { maker: '0', taker: '0' } }`,
    fills: '{ model: bars, account: { kind: margin } }',
    balances: `{ USD: '100000' }`,
    strategy: '{ path: turns.ts }',
    ...change,
  };
  const lines = Object.entries(terms).map(([key, value]) => `${key}: ${value}`);
  return put(`${name}.yaml`, `${lines.join('\n')}\n`);
}

const seen = new Set<string>();

/** The last sentence but for what ended the run, which stands behind it. */
function lastOf(err: string): string | undefined {
  return err.split('\n').findLast((line) => !line.startsWith('incomplete: '));
}

/** What a backtest says in its title, its JSON and its last sentence; all three must agree. */
async function doubtsOf(path: string): Promise<readonly Doubt[]> {
  const line = ['backtest', '--scenario', path, '--no-save', '--no-band'];
  const json = await run([...line, '--json']);
  const text = await run(line);
  const { doubts, warning } = JSON.parse(json.out) as { doubts: readonly Doubt[]; warning: string };
  expect(warning).toBe(doubts.map((one) => one.text).join('; '));
  const last = lastOf(json.err);
  if (doubts.length === 0) expect(json.err).not.toContain('doubtful result');
  else {
    expect(text.out.toLowerCase()).toContain(warning.toLowerCase());
    expect(last).toBe(
      `doubtful result: ${doubts.map(({ text: one, code }) => `${one} (${code})`).join('; ')}`,
    );
    expect(lastOf(text.err)).toBe(last);
  }
  for (const { code } of doubts) seen.add(code);
  return doubts;
}

describe('what is doubtful about a run stands in its title, its JSON and its last sentence', () => {
  test('nothing is doubtful about a whole run on whole data with named fees', async () => {
    expect(await doubtsOf(scenario('clean'))).toEqual([]);
  });

  test('fees that neither data nor scenario name are assumed: 0.1 and 0.25 %, whether tick and lot are named or not', async () => {
    const named = `{ symbol: ABC, base: ABC, quote: USD, tick: '0.01', lot: '1' }`;
    const text = 'fees are assumed: ABC maker 0.10 %, taker 0.25 %';
    const expected = [{ code: 'FEES_ASSUMED', text }];
    expect(await doubtsOf(scenario('assumed', { instrument: named }))).toEqual(expected);
    const inferred = scenario('inferred', { instrument: '{ symbol: ABC, base: ABC, quote: USD }' });
    expect(await doubtsOf(inferred)).toContainEqual(expected[0]);
    const rate = scenario('rate', {
      instrument: named,
      fills: `{ model: bars, fees: { rate: '0.001' }, account: { kind: margin } }`,
    });
    expect(await doubtsOf(rate)).toEqual([]);
  });

  test('fees are assumed on ticks by the same rule, and a note in the data is not needed for it', async () => {
    const level = (second: number, side: string, price: string): string => {
      const time = (1_672_534_800 + second) * 1_000_000;
      return `x,INV,${time},${time},${String(second === 0)},${side},${price},50`;
    };
    put(
      'books.csv',
      [
        'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
        level(0, 'bid', '100.0'),
        level(0, 'ask', '100.5'),
        ...Array.from({ length: 40 }, (_, i) => level(i + 1, 'bid', `9${i % 10}.0`)),
      ].join('\n'),
    );
    const ticks = (fees: string): string =>
      scenario('ticks', {
        data: '[books.csv]',
        instrument: `{ symbol: INV, base: INV, quote: USD, tick: '0.5', lot: '1'${fees} }`,
        fills: '{ model: queue }',
        strategy: `{ path: ${buyer} }`,
        config: '{ orders: { lastTradeNeeded: false } }',
      });
    const text = 'fees are assumed: INV maker 0.10 %, taker 0.25 %';
    expect(await doubtsOf(ticks(''))).toContainEqual({ code: 'FEES_ASSUMED', text });
    const codes = (await doubtsOf(ticks(`, fees: { maker: '0', taker: '0' }`))).map(({ code }) => code);
    expect(codes).not.toContain('FEES_ASSUMED');
  });

  test('an open that the strategy sees before its orders fill there, of backtests and of every trial', async () => {
    const noted = scenario('told', { fills: '{ model: bars, market: open, account: { kind: margin } }' });
    const text =
      'a strategy is told the open before its orders fill there (market: open); nextOpen does not tell it';
    expect(await doubtsOf(noted)).toEqual([{ code: 'OPEN_KNOWN', text }]);
    const sweep = put('told-sweep.yaml', `scenario: ${noted}\nspace: { size: [1, 2] }\n`);
    const at = ['--no-resume', '--ledger', join(folder, 'ledger'), '--store', join(folder, 'told-store')];
    const swept = await run(['sweep', sweep, ...at, '--workers', '1', '--json']);
    expect(JSON.parse(swept.out)).toMatchObject({ doubts: [{ code: 'OPEN_KNOWN', text }] });
    const again = await run(['sweep', sweep, ...at.slice(1), '--workers', '1', '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ doubts: [{ code: 'OPEN_KNOWN', text }] });
  });

  const csv = (name: string, rows: readonly (readonly (string | number)[])[]): string => {
    put(name, `time,open,high,low,close,volume\n${rows.map((row) => row.join(',')).join('\n')}\n`);
    return `[${name}]`;
  };
  const day = (at: number): string => new Date(Date.UTC(2024, 0, 1 + at)).toISOString();
  const flat = (at: number, price: number, volume = 10): readonly (string | number)[] => [
    day(at),
    price,
    price,
    price,
    price,
    volume,
  ];

  test('an order larger than what was traded in its bar, with the share; not where the data have no volumes', async () => {
    const strategy = '{ path: turns.ts, params: { size: 25 } }';
    const [found, ...more] = await doubtsOf(scenario('large', { strategy }));
    expect(more).toEqual([]);
    expect(found?.code).toBe('SIZE_DOUBTFUL');
    expect(found?.text).toMatch(
      /^\d+ fills take more than was traded in the bar: the most 250\.00 % of it, of ABC on /,
    );
    const fitting = scenario('fitting', { strategy: '{ path: turns.ts, params: { size: 10 } }' });
    expect(await doubtsOf(fitting)).toEqual([]);
    const data = csv(
      'silent.csv',
      days(40).map((at) => flat(at, 100, 0)),
    );
    const codes = (await doubtsOf(scenario('silent', { strategy, data }))).map(({ code }) => code);
    expect(codes).not.toContain('SIZE_DOUBTFUL');
  });

  test('equity below zero, and a price that went to a tenth while it was held', async () => {
    const data = csv(
      'fall.csv',
      days(30).map((at) => flat(at, at < 2 ? 100 : at < 4 ? 60 : 5)),
    );
    put(
      'holder.ts',
      `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'holder',
  params: z.strictObject({ size: z.number().default(5) }),
  feeds: () => [{ symbol: 'ABC', candles: ['D1'] }],
  create: ({ params, orders }) => {
    let held = false;
    return {
      onCandle() {
        if (!held) orders.place({ symbol: 'ABC', side: 'buy', type: 'market', quantity: String(params.size) });
        held = true;
      },
    };
  },
});
`,
    );
    const fills = `{ model: bars, account: { kind: margin, leverage: '10' } }`;
    const path = scenario('ruin', {
      data,
      strategy: '{ path: holder.ts }',
      balances: `{ USD: '200' }`,
      fills,
    });
    const found = await doubtsOf(path);
    expect(found).toContainEqual({
      code: 'RUINED',
      text: 'equity in USD is below zero on 2024-01-06: what follows has no meaning',
    });
    expect(found).toContainEqual({
      code: 'PRICE_COLLAPSED',
      text: 'the price of ABC went to a tenth or ten times against a position by 2024-01-06',
    });
    const sweep = put('ruin-sweep.yaml', `scenario: ${path}\nspace: { size: [1, 5] }\n`);
    const at = ['--no-resume', '--ledger', join(folder, 'ledger'), '--store', join(folder, 'ruin-store')];
    const swept = await run(['sweep', sweep, ...at, '--workers', '1', '--json']);
    const { doubts } = JSON.parse(swept.out) as { doubts: readonly Doubt[] };
    expect(doubts.map(({ text }) => text)).toContainEqual(
      'in 1 of 2 trials: equity in USD is below zero on 2024-01-06: what follows has no meaning',
    );
  });

  test('data of a symbol that end while it is held', async () => {
    const [held, other] = [
      csv(
        'held.csv',
        days(20).map((at) => flat(at, 100)),
      ),
      csv(
        'other.csv',
        days(60).map((at) => flat(at, 50)),
      ),
    ];
    const source = (symbol: string, data: string): string =>
      `{ data: ${data}, instrument: { symbol: ${symbol}, base: ${symbol}, quote: USD, tick: '0.01', lot: '1', fees: { maker: '0', taker: '0' } } }`;
    const path = put(
      'ends.yaml',
      `name: ends
sources: [${source('ABC', held)}, ${source('XYZ', other)}]
fills: { model: bars, account: { kind: margin } }
balances: { USD: '100000' }
strategy: { path: holder.ts }
`,
    );
    const found = {
      code: 'DATA_ENDED_EARLY',
      text: 'the data of ABC end on 2024-01-21, while it was held: it is valued at its last price',
    };
    expect(await doubtsOf(path)).toContainEqual(found);
    const until = (name: string, end: string): string =>
      scenario(name, { data: held, strategy: '{ path: holder.ts }', clock: `{ end: '${end}' }` });
    expect(await doubtsOf(until('before-clock', '2024-02-10T00:00:00Z'))).toContainEqual(found);
    expect(await doubtsOf(until('with-clock', '2024-01-25T00:00:00Z'))).toEqual([]);
  });

  test('a size that is less than one lot, by its default too, of which a strategy makes no order', async () => {
    const rounds = (name: string, params: string, size: string): string =>
      put(
        `${name}.ts`,
        `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: '${name}',
  params: z.strictObject(${params}),
  feeds: () => [{ symbol: 'ABC', candles: ['D1'] }],
  create: ({ params, orders, instrument }) => ({
    onCandle() {
      const quantity = instrument('ABC').lots(${size}, 'down');
      if (quantity > 0) orders.place({ symbol: 'ABC', side: 'buy', type: 'market', quantity });
    },
  }),
});
`,
      );
    rounds('rounds', `{ quantity: z.string().default('0.4') }`, 'params.quantity');
    const text = 'asked for no order: its quantity, 0.4, is less than the quantity increment of ABC, 1';
    const path = scenario('rounds', { strategy: '{ path: rounds.ts }' });
    expect(await doubtsOf(path)).toEqual([{ code: 'SIZE_BELOW_LOT', text: `strategy rounds ${text}` }]);
    // What it computes itself is counted.
    rounds('computes', '{}', `'0.4'`);
    const computed = await doubtsOf(scenario('computes', { strategy: '{ path: computes.ts }' }));
    expect(computed).toEqual([
      {
        code: 'SIZE_BELOW_LOT',
        text: expect.stringMatching(
          /^strategy computes asked for no order: \d+ sizes that it computed are less than the quantity increment of ABC, 1, and rounded down to nothing: the first 0\.4$/,
        ),
      },
    ]);
    const one = scenario('whole', { strategy: `{ path: rounds.ts, params: { quantity: '1.4' } }` });
    expect(await doubtsOf(one)).toEqual([]);
    const sweep = put('rounds-sweep.yaml', `scenario: ${path}\nspace: { quantity: ['0.4', '1'] }\n`);
    const at = ['--no-resume', '--ledger', join(folder, 'ledger'), '--store', join(folder, 'rounds-store')];
    const swept = await run(['sweep', sweep, ...at, '--workers', '1', '--json']);
    expect(JSON.parse(swept.out)).toMatchObject({
      doubts: [{ code: 'SIZE_BELOW_LOT', text: `in 1 of 2 trials: strategy rounds ${text}` }],
    });
  });

  test('fees and rebates that no venue has', async () => {
    const of = (maker: string, taker: string): string =>
      `{ symbol: ABC, base: ABC, quote: USD, tick: '0.01', lot: '1', fees: { maker: '${maker}', taker: '${taker}' } }`;
    const text = 'no venue has a fee of 10.00 %, as ABC here';
    expect(await doubtsOf(scenario('dear', { instrument: of('0', '0.1') }))).toEqual([
      { code: 'FEES_DOUBTFUL', text },
    ]);
    expect(await doubtsOf(scenario('gift', { instrument: of('-0.1', '0.001') }))).toEqual([
      { code: 'FEES_DOUBTFUL', text: 'no venue has a rebate of 10.00 %, as ABC here' },
    ]);
    const fills = `{ model: bars, fees: { rate: '0.1' }, account: { kind: margin } }`;
    expect((await doubtsOf(scenario('named', { fills }))).map(({ code }) => code)).toEqual(['FEES_DOUBTFUL']);
  });

  test('a spike, a wick, a split within a day, and data that end in the future', async () => {
    const codesOf = async (
      name: string,
      rows: readonly (readonly (string | number)[])[],
    ): Promise<unknown> => {
      const found = await doubtsOf(scenario(name, { data: csv(`${name}.csv`, rows) }));
      return found.map(({ code }) => code);
    };
    const odd = (at: number, high: number, low: number): readonly (string | number)[] =>
      at === 12 ? [day(at), 100, high, low, 101, 10] : flat(at, 100 + (at % 3));
    expect(
      await codesOf(
        'spike',
        days(40).map((at) => odd(at, 1_020, 99)),
      ),
    ).toContain('PRICES_DOUBTFUL');
    expect(
      await codesOf(
        'wick',
        days(40).map((at) => odd(at, 102, 49)),
      ),
    ).toContain('PRICES_DOUBTFUL');
    expect(
      await codesOf(
        'calm',
        days(40).map((at) => odd(at, 180, 60)),
      ),
    ).toEqual([]);
    const hours = days(40).map((at) => [
      new Date(Date.UTC(2024, 0, 1, at)).toISOString(),
      ...flat(0, at < 15 ? 140 + (at % 2) : 20).slice(1),
    ]);
    expect(await codesOf('split', hours)).toContain('PRICES_DOUBTFUL');
    const later = days(40).map((at) => [
      new Date(Date.UTC(2199, 0, 1 + at)).toISOString(),
      ...flat(at, 100).slice(1),
    ]);
    expect(await codesOf('later', later)).toEqual(['DATA_IN_FUTURE']);
  });

  test('a calendar with gaps, where ratios of days are shown', async () => {
    const doubts = await doubtsOf(scenario('gaps', { data: '[gaps.csv]' }));
    expect(doubts.map(({ code }) => code)).toContain('CALENDAR_GAPS');
    expect(doubts.map(({ code }) => code)).toContain('DATA_POOR');
  });

  test('orders that were all refused, and by which code', async () => {
    const limits = `{ orders: { limits: { '*': { quantityMax: '0.5' } } } }`;
    const doubts = await doubtsOf(scenario('refused', { config: limits }));
    expect(doubts).toHaveLength(1);
    expect(doubts[0]?.code).toBe('ORDERS_ALL_REFUSED');
    expect(doubts[0]?.text).toMatch(/^all \d+ orders were refused: [A-Z_]+ \d+$/);
  });

  test('a run that was cut short', async () => {
    const doubts = await doubtsOf(
      scenario('thrown', { strategy: '{ path: turns.ts, params: { fails: true } }' }),
    );
    expect(doubts[0]?.code).toBe('INCOMPLETE');
  });

  test('the module of a strategy that remembers earlier trials of a sweep', async () => {
    const sweep = (name: string, remembers: boolean): string =>
      put(
        `${name}-sweep.yaml`,
        `scenario: ${scenario(name, { strategy: `{ path: turns.ts, params: { remembers: ${String(remembers)} } }` })}
space: { size: [1, 2, 3] }
`,
      );
    const at = [
      '--no-resume',
      '--ledger',
      join(folder, 'ledger'),
      '--store',
      join(folder, 'store'),
      '--workers',
      '1',
    ];
    const plain = await run(['sweep', sweep('forgets', false), ...at, '--json']);
    expect(JSON.parse(plain.out)).toMatchObject({ warning: '', doubts: [] });
    const kept = await run(['sweep', sweep('remembers', true), ...at, '--json']);
    const { doubts, warning } = JSON.parse(kept.out) as { doubts: readonly Doubt[]; warning: string };
    expect(doubts.map(({ code }) => code)).toEqual(['MODULE_STATE']);
    expect(warning).toBe(warningOf(doubts));
    expect(kept.err.split('\n').at(-1)).toBe(exitSentence(doubts));
    for (const { code } of doubts) seen.add(code);
  });

  test('an order that the gate denies counts once', () => {
    const [strategy, id] = ['turns', 'one' as ClientOrderId];
    const times = { exchangeTime: 1, receiveTime: 1 };
    const request = { clientOrderId: id, instrument: 0, side: 'buy', type: 'market', quantity: 1 };
    const summary = new Summary({ instruments: new Instruments([]), entries: () => [] });
    const observe = (event: object): void => summary.observe({ ...times, ...event } as unknown as Event);
    observe({ kind: 'orderPending', command: { strategy, request } });
    observe({
      kind: 'orderDenied',
      strategy,
      action: 'place',
      clientOrderId: id,
      denial: { code: 'INPUT_STALE', why: '' },
    });
    expect(runDoubts(summary)).toEqual([
      { code: 'ORDERS_ALL_REFUSED', text: 'its only order was refused: INPUT_STALE 1' },
    ]);
  });

  test('a stop below own bids, and an exit beside a cancelAll, are no denied exits, for long and short', async () => {
    for (const side of ['buy', 'sell'])
      for (const way of ['stop', 'leave', 'profit']) {
        const orders = '{ orders: { marketOrders: true, lastTradeNeeded: false } }';
        const strategy = `{ path: ladder.ts, params: { way: ${way}, side: ${side} } }`;
        const path = scenario(`ladder-${way}-${side}`, { strategy, config: orders });
        expect(await doubtsOf(path)).toEqual([]);
        const { out } = await run(['backtest', '--scenario', path, '--no-save', '--no-band']);
        expect(out).toContain(way === 'stop' ? '1 fills' : '2 fills');
      }
  });

  test('an exit that was denied is a doubt with its code', async () => {
    const strategy = '{ path: ladder.ts, params: { way: leaveAtOnce } }';
    const config = '{ orders: { marketOrders: true, lastTradeNeeded: false, selfTrades: false } }';
    expect(await doubtsOf(scenario('leaves', { strategy, config }))).toEqual([
      { code: 'EXITS_DENIED', text: 'an order that was to close a position was denied: SELF_TRADE 1' },
    ]);
    const sweep = put(
      'leaves-sweep.yaml',
      `scenario: ${join(folder, 'leaves.yaml')}\nspace: { side: [buy] }\n`,
    );
    const at = ['--no-resume', '--ledger', join(folder, 'ledger'), '--store', join(folder, 'leaves-store')];
    const swept = await run(['sweep', sweep, ...at, '--workers', '1', '--json']);
    expect(JSON.parse(swept.out)).toMatchObject({ doubts: [{ code: 'EXITS_DENIED' }] });
  });

  test('every code is one of these, of the data, or of a session', () => {
    const found = dataDoubts({
      problems: ['a file ends early', 'and more'],
      grade: {
        title: 'poor data (C): 7 bars missing',
        reasons: ['7 bars missing', 'the clock drifted by 1 s'],
      },
      findings: ['12 of 30 sizes are finer than the increment, and were rounded down', 'nothing'],
    });
    expect(found).toEqual([
      { code: 'INCOMPLETE', text: 'incomplete: a file ends early' },
      { code: 'DATA_POOR', text: 'poor data (C): 7 bars missing' },
      { code: 'DATA_ROUNDED', text: '12 of 30 sizes are finer than the increment, and were rounded down' },
      { code: 'CLOCK_DOUBTFUL', text: 'the clock drifted by 1 s' },
    ]);
    for (const { code } of found) seen.add(code);
    expect(dataDoubts({})).toEqual([]);
    const ofSessions = ['STRATEGY_STOPPED', 'FROM_JOURNAL'];
    const elsewhere = ['ORDERS_REFUSED', 'MARK_ASSUMED', 'FUNDING_ASSUMED']; // `refusals`, `scenario-products`
    expect(new Set([...seen, ...ofSessions, ...elsewhere])).toEqual(new Set(doubtCodes));
  });
});
