import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../src/core/base/clock.ts';
import { pause } from '../../src/core/base/pause.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Cli, home } from '../system/support/cli.ts';
import { holds } from '../system/support/holds.ts';
import { until } from '../system/support/until.ts';
import { Browser, hasBrowser, violations } from './browser.ts';
import type { Page } from './browser.ts';

// The page of a real daemon in each state, wide and narrow, light and dark. PICTURES names the folder of the pictures; those of README.md are
// there, too: PICTURES_AFTER=900 lets the daemon trade for so many seconds first, so that they show more than its first candle.
const pictures = process.env['PICTURES'] ?? join(tmpdir(), 'godwit-dashboard');
const settle = seconds(Number(process.env['PICTURES_AFTER'] ?? '0'));
const timeout = 240_000 + settle / 1_000;
/** Bytes of a picture of README.md: who reads it may be on a telephone. */
const shownMax = 150_000;
const looks = [
  [1280, 900, 'light'],
  [1280, 900, 'dark'],
  [390, 844, 'light'],
  [390, 844, 'dark'],
] as const;

let browser: Browser | undefined;
let folder = '';
let demo: Cli | undefined;

if (!hasBrowser) process.stderr.write('skipped: pictures of the dashboard; there is no Chromium here\n');

describe.skipIf(!hasBrowser)('a daemon as a person sees it', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-pictures-'));
    mkdirSync(pictures, { recursive: true });
    browser = await Browser.start();
  });
  afterEach(() => demo?.kill());
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a daemon on the embedded exchange and opens its page in every look. */
  async function begun(name: string, more: readonly string[]): Promise<readonly Page[]> {
    const runs = join(folder, name);
    demo = new Cli(['demo', '--json', '--set', `run.directory=${runs}`, ...more]);
    const { url, token } = await until('the address of the daemon', () => runFileIn(runs));
    await pause(new SystemClock(), settle);
    const pages = [];
    for (const [width, height, scheme] of looks) {
      const page = await (browser as Browser).page(width, height, scheme);
      await page.open(`${url}/#token=${token}`);
      pages.push(page);
    }
    return pages;
  }

  /** Each page is checked as it is, and taken. */
  async function taken(pages: readonly Page[], name: string): Promise<void> {
    for (const [at, page] of pages.entries()) {
      const [width, , scheme] = looks[at] ?? looks[0];
      expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.picture(join(pictures, `${name}-${width}-${scheme}.png`));
      expect([name, width, scheme, await violations(page)]).toEqual([name, width, scheme, []]);
      expect(page.complaints).toEqual([]);
    }
  }

  test(
    'a maker that trades, that is halted, and whose daemon is killed',
    async () => {
      const pages = await begun('maker', []);
      for (const page of pages) {
        await page.shows('#trading', 'Trading is active: 1 strategy runs');
        await page.shows('#price-said', 'own fills');
        await page.shows('#curve-note', 'Profit of the run since');
        await page.shows('#fees', 'fill');
      }
      await taken(pages, 'maker');
      const [desk, , telephone] = pages as readonly [Page, Page, Page];
      for (const [page, name] of [
        [desk, 'dashboard'],
        [telephone, 'telephone'],
      ] as const)
        expect(await page.shown(join(pictures, `${name}.webp`))).toBeLessThan(shownMax);

      await desk.click('#halt');
      await desk.click('#sure-yes');
      for (const page of pages) {
        await page.shows('#trading', 'Trading is halted since');
        await page.shows('#wrong-title', 'else is wrong');
        await page.click('#strategies-title');
        // What the list says of a strategy agrees with the banner.
        await page.shows('.strategy', 'running, but trading is halted');
      }
      await taken(pages, 'halted');

      demo?.kill();
      for (const page of pages) {
        await page.shows('#unreachable', 'godwit kill');
        expect(await page.text('#away')).toContain('Last known, of');
        expect(await page.text('#trading')).toContain('Trading is halted since');
        expect(await page.value('document.querySelectorAll("button[data-act]:enabled").length')).toBe(0);
      }
      await taken(pages, 'killed');
    },
    timeout,
  );

  test(
    'carry, which holds a symbol and the contract on it',
    async () => {
      const pages = await begun('carry', [
        '--strategy',
        join(home, 'strategies', 'carry'),
        '--param',
        'enterBasisPoints=-1000',
        '--param',
        'leaveBasisPoints=-2000',
      ]);
      for (const page of pages) {
        await page.shows('#held', 'BTCUSDT_PERP');
        await page.shows('#liquidation', '% away');
        await holds(async () => expect(await page.text('#held')).toMatch(/BTCUSDT at/));
        await page.click('#margin-title');
        await page.shows('#margin', 'BTCUSDT_PERP');
      }
      await taken(pages, 'carry');
    },
    timeout,
  );

  test('the report of the backtest that README.md runs', async () => {
    // The page tells its command: it is that of README.md to the letter.
    symlinkSync(join(home, 'backtest'), join(folder, 'backtest'));
    const [, line = ''] =
      /npx godwit (backtest .* --html report\.html)/.exec(readFileSync(join(home, 'README.md'), 'utf8')) ??
      [];
    const backtest = line.split(' ');
    const { code } = await new Cli(backtest, {}, undefined, folder).end();
    expect(code).toBe(0);
    const page = await (browser as Browser).page(1000, 900);
    await page.open(pathToFileURL(join(folder, 'report.html')).href);
    await page.shows('body', `godwit ${line}`);
    expect(await page.shown(join(pictures, 'report.webp'))).toBeLessThan(shownMax);
    expect(page.complaints).toEqual([]);
  });
});

/** Where the daemon of a directory of runs listens, once it does. */
function runFileIn(directory: string): { readonly url: string; readonly token: string } | undefined {
  const [file] = globSync('**/operate.json', { cwd: directory });
  if (file === undefined) return undefined;
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as { url: string; token: string };
}
