import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseAmount } from '../../src/core/base/amount.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Counterparty } from '../system/support/counterparty.ts';
import { Followed } from '../system/support/followed.ts';
import { holds } from '../system/support/holds.ts';
import { contract, MarginScene } from '../system/support/margin-scene.ts';
import { SocketProxy } from '../system/support/socket-proxy.ts';
import { strategyOf } from '../system/support/stage.ts';
import { until } from '../system/support/until.ts';
import { Browser, hasBrowser, violations } from './browser.ts';
import type { Page } from './browser.ts';

// A daemon at the embedded exchange in a bad night: the market fell until a limit on loss halted it, a position stands near its margin call,
// an execution was reported that never was, and a symbol is no longer traded. PICTURES names the folder of the pictures.
const pictures = process.env['PICTURES'] ?? join(tmpdir(), 'godwit-dashboard');
const delisted = 'LTCUSDT';
let scene: MarginScene | undefined;
let proxy: SocketProxy | undefined;
let followed: Followed | undefined;
let browser: Browser | undefined;

if (!hasBrowser) process.stderr.write('skipped: the dashboard at night; there is no Chromium here\n');

describe.skipIf(!hasBrowser)('a daemon that was halted at night', () => {
  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterEach(async () => {
    await followed?.stopped();
    await scene?.stage.close();
    await proxy?.close();
  });
  afterAll(async () => {
    await browser?.close();
  });

  test('says from the first screen what is wrong, what is held and what to do', async () => {
    await halted();
    for (const [width, scheme] of [
      [390, 'light'],
      [390, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const) {
      const page = await (browser as Browser).page(width, 844, scheme);
      await page.open(followed?.page ?? '');
      await page.shows('#tabs', 'Positions');
      await holds(async () => expect(await page.text('#wrong-title')).toBe('3 things are wrong'));
      // What a person has to know stands in the part of the page that is seen without a move.
      const seen = await firstScreen(page);
      for (const words of [
        /Trading is halted since \d\d:\d\d UTC: .*day.*USDT/,
        /It holds until an operator clears it/,
        /ETHUSDT_PERP is under a margin call: liquidation at [\d.]+, \d\.\d % away/,
        /trade 77 .* was reported, and the trade history does not show it/,
        /LTCUSDT is suspended at the venue/,
        /Clear a halt…/,
        /^0\.5 ETHUSDT_PERP at 3000, -[\d.]+ USDT, on margin$/m,
      ])
        expect(seen).toMatch(words);
      expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.picture(join(pictures, `night-${width}-${scheme}.png`), false);
      expect(await violations(page)).toEqual([]);
      for (const name of ['strategies', 'limits', 'journal', 'margin']) {
        await page.click(`#${name}-title`);
        await page.value(
          'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
        );
        expect([name, await violations(page)]).toEqual([name, []]);
      }
      expect(page.complaints).toEqual([]);
    }
  });
});

/** Plays the night. The execution that never was would be withdrawn after ten minutes. */
async function halted(): Promise<void> {
  scene = await MarginScene.open({
    strategies: [strategyOf('puppet', { contracts: [contract, delisted] })],
    config: {
      client: { market: { statusMs: 50 } },
      orders: {
        loss: { USDT: { day: '20', action: 'halted' } },
        reconcile: { absentMs: 600_000, everyMs: 200 },
      },
    },
    socketsOf: async ({ wsUrl }) => {
      proxy = await SocketProxy.start(wsUrl);
      return proxy.url;
    },
  });
  const { stage, puppet, perpetual, spot } = scene;
  followed = await Followed.of(stage, new SystemClock());
  const litecoin = new Counterparty(stage.exchange, delisted, 'whale');
  await puppet.turn(({ margin }) => margin.set(contract, { balance: '100' }));
  await scene.accountUntil(contract, 'isolated', (account) => account?.balance === parseAmount('100'));
  await puppet.turn(({ margin }) => margin.setLeverage(contract, 20));
  await scene.accountUntil(contract, 'isolated', (account) => account?.leverage === parseAmount('20'));
  perpetual.rest('sell', 300_000, 500);
  const bought = await puppet.act((orders) =>
    orders.place({
      symbol: contract,
      product: 'futures',
      marginMode: 'isolated',
      side: 'buy',
      quantity: 500,
      price: 300_000,
    }),
  );
  await puppet.received(bought, 'filled');
  await scene.accountUntil(contract, 'isolated', (account) => account?.positions.length === 1);

  const resting = await puppet.place({ side: 'buy', quantity: 20, price: 299_100 });
  await puppet.received(resting, 'new');
  const at = new Date().toISOString();
  const report = {
    id: stage.daemon.trader.view.order(resting)?.venueOrderId,
    client_order_id: resting,
    symbol: 'ETHUSDT',
    side: 'buy',
    status: 'partiallyFilled',
    type: 'limit',
    time_in_force: 'GTC',
    quantity: '0.0020',
    quantity_cumulative: '0.0010',
    price: '2991.00',
    post_only: false,
    created_at: at,
    updated_at: at,
    report_type: 'trade',
    trade_id: 77,
    trade_quantity: '0.0010',
    trade_price: '2991.00',
    trade_fee: '0',
    trade_taker: false,
  };
  proxy?.say('/ws/trading', JSON.stringify({ jsonrpc: '2.0', method: 'spot_order', params: report }));
  await stage.next('differenceFound', ({ difference }) => difference.kind === 'execution');

  const { id } = litecoin.instrument;
  stage.exchange.core.handle({ kind: 'setStatus', instrument: id, status: 'suspended' });
  await stage.next('instrumentChanged', ({ status }) => status === 'suspended');
  // Of the margin of 100 a call comes when 37.5 are lost, the liquidation at 62.5: the market falls to where 47.5 are.
  for (const party of [perpetual, spot]) {
    party.take('sell', 299_000, 100_000);
    party.rest('buy', 290_400, 100_000);
    party.rest('sell', 290_600, 100_000);
  }
  await stage.next('lossLimitReached');
  await until('the margin call', () => scene?.account(contract, 'isolated')?.called);
}

/** Texts of a page that stand within its window. */
async function firstScreen(page: Page): Promise<string> {
  return await page.value(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
      const box = walker.currentNode.parentElement.getBoundingClientRect();
      if (box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth) texts.push(walker.currentNode.data.trim());
    }
    return texts.filter((text) => text !== '').join('\\n');
  })()`);
}
