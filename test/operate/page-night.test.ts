import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Browser, hasBrowser, violations } from './browser.ts';
import type { Page } from './browser.ts';
import type { Operated } from './support.ts';
import { boughtPart, operated, reportMargin, tokens } from './support.ts';
import { instrument } from '../core/trader/support/rig.ts';
import { holds } from '../system/support/holds.ts';

const pictures = process.env['PICTURES'] ?? join(tmpdir(), 'godwit-dashboard');
let open: Operated | undefined;
let browser: Browser | undefined;

if (!hasBrowser) process.stderr.write('skipped: the dashboard at night; there is no Chromium here\n');

describe.skipIf(!hasBrowser)('a daemon that was halted at night', () => {
  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterEach(async () => {
    await open?.server.close();
    open = undefined;
  });
  afterAll(async () => {
    await browser?.close();
  });

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    'says from the first screen what is wrong, what is held and what to do, %d pixels wide, %s',
    async (width, scheme) => {
      open = await operated();
      await halted(open);
      const page = await (browser as Browser).page(width, 844, scheme);
      await page.open(`${open.server.url}/#token=${tokens.operate}`);
      await page.shows('#tabs', 'Positions');
      await holds(async () => expect(await page.text('#wrong-title')).toBe('3 things are wrong'));
      // What a person has to know stands in the part of the page that is seen without a move.
      const seen = await firstScreen(page);
      expect(seen).toContain('Trading is halted since 22:13 UTC');
      expect(seen).toContain('the loss of the day is 120 BBB, the limit 100');
      expect(seen).toContain('an operator clears it');
      expect(seen).toContain('AAABBB is under a margin call: liquidation at 115, 15.0 % away');
      expect(seen).toContain('trade 77 was reported, and the trade history does not show it');
      expect(seen).toContain('AAABBB is suspended');
      expect(seen).toContain('Clear a halt…');
      expect(seen).toContain('-2 AAABBB at 98, -0.5 BBB, on margin');
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
    },
  );

  async function halted({ rig, server }: Operated): Promise<void> {
    rig.wait(2_000);
    const id = boughtPart(rig);
    reportMargin(rig);
    const why = 'the loss of the day is 120 BBB, the limit 100';
    const since = rig.clock.now();
    rig.subject.next({
      kind: 'lossLimitReached',
      ...rig.times,
      latch: {
        strategy: undefined,
        currency: 'BBB',
        limit: 'day',
        action: 'halted',
        why,
        since,
        until: undefined,
      },
    });
    rig.subject.next({
      kind: 'differenceFound',
      ...rig.times,
      difference: {
        key: 'execution 0 buy 77',
        kind: 'execution',
        product: 'spot',
        strategy: 'buyer',
        clientOrderId: id,
        cause: 'trade 77 was reported, and the trade history does not show it',
        since,
        reads: 2,
      },
    });
    rig.subject.next({ kind: 'instrumentChanged', ...rig.times, instrument, status: 'suspended' });
    server.alert(`halted: ${why}`);
  }
});

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
