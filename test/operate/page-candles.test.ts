import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { holds } from '../system/support/holds.ts';
import { Browser, hasBrowser } from './browser.ts';
import type { Page } from './browser.ts';
import { boughtPart, operated, reportMargin, tokens } from './support.ts';
import type { Operated } from './support.ts';

const pictures = process.env['PICTURES'] ?? join(tmpdir(), 'godwit-dashboard');
let open: Operated | undefined;
let browser: Browser | undefined;

if (!hasBrowser) process.stderr.write('skipped: candles in a browser; there is no Chromium here\n');

afterEach(async () => {
  await open?.server.close();
  open = undefined;
});

describe.skipIf(!hasBrowser)('candles of the dashboard', () => {
  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function shown(run: Operated, width: number, scheme: 'light' | 'dark'): Promise<Page> {
    const page = await (browser as Browser).page(width, 900, scheme);
    await page.open(`${run.server.url}/#token=${tokens.operate}`);
    return page;
  }

  /** Points of the chart in a colour of the page. */
  function drawn(page: Page, tone: string): Promise<number> {
    return page.value(`(() => {
      const probe = document.createElement('canvas').getContext('2d');
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--${tone}').trim();
      probe.fillRect(0, 0, 1, 1);
      const want = probe.getImageData(0, 0, 1, 1).data;
      let found = 0;
      for (const canvas of document.querySelectorAll('#price td:nth-child(2) canvas')) {
        if (canvas.width === 0 || canvas.height === 0) continue;
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4)
          if ([0, 1, 2].every((i) => Math.abs(data[at + i] - want[i]) < 6)) found += 1;
      }
      return found;
    })()`);
  }

  test.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)(
    'are those of the daemon, of before the page too, with own fills, orders and margin, %d pixels wide, %s',

    async (width, scheme) => {
      open = await operated();
      const { rig } = open;
      rig.wait(2_000);
      // Forty minutes before anybody looks; a trade at 100 makes the strategy buy at 99.
      for (let minute = 0; minute < 40; minute += 1) {
        rig.trade(101 + (minute % 5));
        rig.wait(30_000);
        rig.trade(102 + ((minute * 3) % 4));
        rig.wait(30_000);
      }
      const page = await shown(open, width, scheme);
      const said = await page.shows('#price-said', 'M1: open');
      expect(said).toContain('volume');
      const kept = open.server.view.candles('AAABBB', 'M1');
      expect(kept?.times.length).toBeGreaterThan(30);
      expect(said).toContain(`close ${kept?.close.at(-1)},`);
      await holds(async () => expect(await drawn(page, 'sell')).toBeGreaterThan(100));
      expect(await drawn(page, 'main')).toBe(0);

      boughtPart(rig);
      await page.shows('#price-said', 'volume 1; own fills, buy: 1');
      // The entry is a line through the chart, and so is liquidation once there is an account on margin.
      await holds(async () => expect(await drawn(page, 'main')).toBeGreaterThan(100));
      expect(await drawn(page, 'red')).toBe(0);
      reportMargin(rig);
      rig.trade(115);
      await page.shows('#price-said', 'high 115');
      await holds(async () => expect(await drawn(page, 'red')).toBeGreaterThan(100));
      await page.picture(join(pictures, `candles-${width}.png`));

      const image = (): Promise<string> =>
        page.value(
          `[...document.querySelectorAll('#price td:nth-child(2) canvas')].map((one) => one.toDataURL()).join()`,
        );
      await page.focus('#price');
      for (const key of ['ArrowLeft', '-', 'End', 'Home']) {
        const before = await image();
        await page.press(key);
        await holds(async () => expect(await image()).not.toBe(before));
      }
      await page.value(
        `{ const period = document.getElementById('period'); period.value = 'H1'; period.dispatchEvent(new Event('change')); }`,
      );
      expect(await page.shows('#price-said', 'H1: open 101, ')).toContain('high 115');
      expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(page.complaints).toEqual([]);
    },
  );

  test('that there are none is said, and what was read stays while the daemon is away', async () => {
    open = await operated();
    const page = await shown(open, 1280, 'light');
    await page.shows('#price-said', 'No candle of AAABBB yet; the middle of the book is 100.');
    open.rig.wait(2_000);
    open.rig.trade(100);
    const said = await page.shows('#price-said', 'close 100,');
    await open.server.close();
    await page.shows('#link', 'Disconnected since');
    expect(await page.text('#price-said')).toBe(said);
    expect(page.complaints).toEqual([]);
  });
});
