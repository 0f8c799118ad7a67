import { gunzipSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { request } from 'undici';
import { Browser, hasBrowser, violations } from './browser.ts';
import type { Difference } from '../../src/core/model/difference.ts';
import type { Page } from './browser.ts';
import type { Operated } from './support.ts';
import { ask, boughtPart, operated, reportMargin, tokens } from './support.ts';
import { feedsView } from '../../src/operate/views/feeds.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { holds } from '../system/support/holds.ts';

/** Name a folder to look at them: the temporary one of a test run is emptied at its end. */
const pictures = process.env['PICTURES'] ?? join(tmpdir(), 'godwit-dashboard');
const hostile = '<img src=x onerror="document.title=1"><script>boom</script>';
let open: Operated | undefined;
let browser: Browser | undefined;

if (!hasBrowser) process.stderr.write('skipped: the dashboard in a browser; there is no Chromium here\n');

afterEach(async () => {
  vi.restoreAllMocks();
  await open?.server.close();
  open = undefined;
});

describe('the files of the page', () => {
  test('need no token, weigh at most 250 kB as they are sent, and name no other host', async () => {
    open = await operated();
    const { url } = open.server;
    const page = await request(`${url}/`);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    const html = await page.body.text();
    const queue = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    const texts = new Map([['/', html]]);
    for (const path of queue) {
      const file = await request(`${url}${path}`);
      expect([path, file.statusCode]).toEqual([path, 200]);
      const text = await file.body.text();
      texts.set(path, text);
      for (const [, name] of text.matchAll(/from '\.\/(\w+\.js)'/g))
        if (!queue.includes(`/page/${name}`)) queue.push(`/page/${name}`);
    }
    expect(texts.size).toBe(20);
    let bytes = 0;
    for (const [path, text] of texts) {
      const sent = await request(`${url}${path}`, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
      expect(sent.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
      const packed = Buffer.from(await sent.body.arrayBuffer());
      expect(gunzipSync(packed).toString()).toBe(text);
      bytes += packed.length;
      const plain = await request(`${url}${path}`, { headers: { 'accept-encoding': 'gzip;q=0, identity' } });
      expect(plain.headers['content-encoding']).toBeUndefined();
      await plain.body.dump();
    }
    expect(bytes).toBeLessThan(250_000);
    // The license of the candles asks for a link, which loads nothing.
    const allowed = /http:\/\/www\.w3\.org\/2000\/svg|(?<=<a href=")https:\/\/www\.tradingview\.com\/(?=")/g;
    for (const [path, text] of texts) {
      if (/uplot|lightweight-charts/.test(path)) continue;
      expect(text.replaceAll(allowed, '')).not.toMatch(/https?:\/\//);
      expect(text).not.toMatch(/innerHTML|insertAdjacentHTML|\son\w+="|\sstyle="/);
    }
  });
});

describe.skipIf(!hasBrowser)('the dashboard in a browser', () => {
  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function shown(run: Operated, width = 1280, scheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await (browser as Browser).page(width, 900, scheme);
    await page.open(`${run.server.url}/#token=${tokens.operate}`);
    await page.shows('#trading', 'active');
    await page.shows('#tabs', 'Positions');
    return page;
  }

  /** Waits until a list shows a text, in the tab of its own. Returns what it shows. */
  async function listed(page: Page, name: string, wanted: string): Promise<string> {
    await page.click(`#${name}-title`);
    return await page.shows(`#${name}-section`, wanted);
  }

  /** An order that rests, and two of its three lots filled. */
  function trade({ rig }: Operated): string {
    rig.wait(2_000);
    const id = boughtPart(rig);
    return id;
  }

  test('shows the run with its book, orders and fills; the token leaves the address', async () => {
    open = await operated();
    const page = await shown(open);
    expect(await page.value('location.href')).toBe(`${open.server.url}/`);
    expect(await page.text('#run')).toContain('r1, sim');
    const id = trade(open);
    await listed(page, 'orders', id);
    expect(await listed(page, 'fills', 'buyer')).toContain('99');
    expect(await listed(page, 'positions', 'buyer')).toContain('AAABBB');
    // Own quantity stands in the level of the book.
    expect(await page.shows('#book', '99\t50\t1')).toContain('101\t50');
    expect(await page.text('#book')).toContain('spread 2, 200.0 bp');
    expect(await listed(page, 'feeds', '1 s')).toContain('AAABBB');
    await listed(page, 'limits', 'limits.openOrdersMax, buyer');
    await listed(page, 'budgets', '2 of 10');
    open.server.alert('something to know');
    await listed(page, 'alerts', 'something to know');
    // The first screen has what the lists have, in words.
    expect(await page.text('#wrong')).toContain('something to know');
    expect(await page.text('#held')).toBe('2 AAABBB at 99, +2 BBB');
    expect(await page.text('#today')).toBe('+2 BBB');
    const { rig } = open;
    rig.subject.next({ kind: 'differenceFound', ...rig.times, difference: openDifference(id) });
    const card = await listed(page, 'differences', 'trade 77 was reported');
    expect(await page.shows('#wrong-title', '1 thing is wrong')).not.toBe('');
    expect(card).toContain('trade 77 was reported, and the trade history does not show it');
    expect(card).toContain('the trade history or the order shows the execution');
    // What holds orders back is a row there too.
    rig.subject.next({ kind: 'sessionDown', session: 'trading', why: 'cut', ...rig.times });
    expect(await page.shows('#views', 'the trading session is down: cut')).toContain('the session is up');
    await page.shows('#price-said', 'own fills, buy: 1');
    expect(page.complaints).toEqual([]);
  });

  test.each([1280, 390])('nothing is wider than a page of %d pixels', async (width) => {
    open = await operated({}, tokens, { more: [hostile] });
    const page = await shown(open, width);
    trade(open);
    await listed(page, 'fills', 'buyer');
    await page.shows('#book', '99');
    expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.picture(join(pictures, `${width}.png`));
    expect(page.complaints).toEqual([]);
  });

  test('a page that nobody looks at holds no connection, and is there again at once', async () => {
    open = await operated();
    const page = await shown(open);
    const hide = async (hidden: boolean): Promise<void> => {
      await page.value(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'));`,
      );
    };
    expect(open.server.readers).toBe(1);
    await hide(true);
    const { server } = open;
    await holds(() => expect(server.readers).toBe(0));
    expect(await page.shows('#link', 'Not connected while the page is hidden')).not.toBe('');
    expect(await page.text('#trading')).toContain('active');
    await hide(false);
    await holds(() => expect(server.readers).toBe(1));
    await holds(async () => expect(await page.text('#away')).toBe(''));
  });

  test.each([1280, 390])('explains an order by keys, %d pixels wide', async (width) => {
    open = await operated();
    const page = await shown(open, width);
    const id = trade(open);
    await listed(page, 'orders', id);
    await page.focus('#orders button[aria-label^="Explain"]');
    await page.press('Enter');
    await page.shows('#explain', `Order ${id}`);
    const text = await page.shows('#explain', 'packet out');
    expect(text).toContain('buy 3 AAABBB, limit at 99; partiallyFilled; strategy buyer');
    expect(text).toContain('bids 99 × 50');
    expect(text).toContain('+1.250 ms');
    expect(text).toContain('Note: the recording ends early.');
    expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.picture(join(pictures, `explain-${width}.png`), false);
    await page.press('Escape');
    expect(await page.text('#explain')).toBe('');
    // A fill leads to its order, too; that one is gone by then.
    open.unknown = true;
    await listed(page, 'fills', id);
    await page.click('#fills button[aria-label^="Explain"]');
    await page.shows('#explain-text', `the journal names no order "${id}"`);
    expect(page.complaints).toEqual([]);
  });

  test('follows the journal, shows one kind of it, and stands still on request', async () => {
    open = await operated();
    const { rig } = open;
    const page = await shown(open, 390);
    const id = trade(open);
    await listed(page, 'journal', `${id} passed the controls: buy 3 AAABBB at 99, limit GTC`);
    expect(await page.shows('#journal', `${id}: trade, state partiallyFilled`)).toContain(
      'strategy buyer wants',
    );
    await page.value(
      'const kind = document.getElementById("journal-kind"); kind.value = "orderPending"; kind.dispatchEvent(new Event("change"));',
    );
    await page.shows('#journal-kind', 'orderReport');
    await holds(async () => expect(await page.text('#journal')).not.toContain('strategy buyer wants'));
    expect(await page.text('#journal')).toContain('orderPending');
    await page.click('#journal-pause');
    await page.shows('#journal-paused', 'paused');
    rig.trader.act({ act: 'pause', strategy: undefined }, 'ann', 'lunch');
    await page.shows('#journal-paused', 'newer records');
    await page.value('kind.value = "all kinds"; kind.dispatchEvent(new Event("change"));');
    await page.shows('#journal', 'strategy buyer wants');
    expect(await page.text('#journal')).not.toContain('lunch');
    await page.picture(join(pictures, 'journal-390.png'));
    await page.click('#journal-pause');
    await page.shows('#journal', 'ann asked for pause: lunch');
    expect(page.complaints).toEqual([]);
  });

  test.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)(
    'draws a line for each strategy, which keys hide and show, %d pixels wide, %s',

    async (width, scheme) => {
      open = await operated();
      const row = { currency: 'USDT', kind: 'live' } as const;
      const profits = vi.spyOn(open.server.view, 'strategyProfits');
      const count = (): number => profits.mock.calls.length;
      profits.mockImplementation(() => [
        { ...row, name: 'buyer', profit: count() },
        { ...row, name: hostile, profit: -2 * count() },
        { ...row, kind: 'shadow', name: 'buyer', profit: 3 * count() },
      ]);
      vi.spyOn(open.server.view, 'profits').mockImplementation(() => new Map([['USDT', -count()]]));
      const page = await shown(open, width, scheme);
      const legend = await page.shows('#profit', 'buyer, shadow');
      for (const name of ['Account', 'Drawdown', 'buyer', hostile]) expect(legend).toContain(name);
      // Each state differs from the one before, so points come four times a second.
      await holds(() => expect(count()).toBeGreaterThan(12));
      /** Points of the canvas in the colour of a line, or close to it. */
      const drawn = (tone: string): Promise<number> =>
        page.value(`(() => {
          const probe = document.createElement('canvas').getContext('2d');
          probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--${tone}').trim();
          probe.fillRect(0, 0, 1, 1);
          const want = probe.getImageData(0, 0, 1, 1).data;
          const canvas = document.querySelector('#profit canvas');
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          let found = 0;
          for (let at = 0; at < data.length; at += 4)
            if (data[at + 3] > 200 && [0, 1, 2].every((i) => Math.abs(data[at + i] - want[i]) < 12)) found += 1;
          return found;
        })()`);
      const both = await drawn('line-1');
      expect(await drawn('line-2')).toBeGreaterThan(20);
      expect(await drawn('line-3')).toBe(0);
      await page.picture(join(pictures, `strategies-${width}.png`));
      const pressed = `[...document.querySelectorAll('#profit button')].map((one) => one.ariaPressed)`;
      for (const [name, state] of [
        ['buyer', 'false'],
        ['buyer, shadow', 'false'],
        ['buyer', 'true'],
      ]) {
        await page.focus(`#profit button[data-line=${JSON.stringify(name)}]`);
        await page.press('Enter');
        expect(await page.value('document.activeElement.ariaPressed')).toBe(state);
        if (name === 'buyer, shadow') expect(await drawn('line-1')).toBe(0);
      }
      expect(await page.value(pressed)).toEqual(['true', 'true', 'true', 'true', 'false']);
      const alone = await drawn('line-1');
      expect(alone).toBeGreaterThan(20);
      expect(alone).not.toBe(both);
      expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await page.value('document.querySelectorAll("img, main script").length')).toBe(0);
      expect(page.complaints).toEqual([]);
    },
  );

  test('a hostile name is text', async () => {
    open = await operated({}, tokens, { more: [hostile] });
    const [feed = {}] = feedsView.rows(open.server.view);
    const rows = [{ ...feed, symbol: hostile, reason: hostile }];
    vi.spyOn(feedsView as unknown as { live: () => object }, 'live').mockReturnValue(rows);
    const page = await shown(open);
    await listed(page, 'feeds', hostile);
    await page.shows('#symbol', hostile);
    open.server.alert(hostile);
    await listed(page, 'alerts', hostile);
    expect(await listed(page, 'strategies', hostile)).toContain('buyer');
    expect(await page.value('document.querySelectorAll("img, main script").length')).toBe(0);
    expect(await page.value('document.title')).toBe('Godwit: active');
    expect(page.complaints).toEqual([]);
  });

  test('pauses, resumes, cancels, halts after a confirmation, and clears in two steps', async () => {
    open = await operated();
    const page = await shown(open);
    const id = trade(open);
    await page.click('#pause');
    await listed(page, 'strategies', 'paused');
    await page.shows('#wrong', 'an operator resumes it');
    expect(await page.text('#trading')).toContain('buyer is paused');
    // What an operator asked for is shown, and is nothing wrong.
    expect(await page.text('#wrong-title')).toBe('Nothing is wrong. An operator asked for:');
    expect(await page.value('document.querySelectorAll(".bad-item").length')).toBe(0);
    await page.click('#resume');
    await page.shows('#strategies', 'running');
    await listed(page, 'orders', id);
    await page.click('#orders td:last-child button');
    await page.shows('#orders', 'Sure?');
    await page.click('#orders td:last-child button');
    await page.shows('#answer', `order ${id} is being canceled`);
    // By keys alone: the focus is on the switch, then on the first button of the dialog.
    await page.focus('#halt');
    await page.press('Enter');
    await page.shows('#sure', 'Halt trading?');
    await page.press('Escape');
    expect(await page.value('document.getElementById("sure").open')).toBe(false);
    expect(open.acts.some(({ act }) => act.act === 'halt')).toBe(false);
    await page.press('Enter');
    await page.shows('#sure', 'Halt trading?');
    await page.press('Tab');
    await page.press('Enter');
    await page.shows('#trading', 'Trading is halted');
    await page.click('#clear');
    await page.shows('#sure', 'trading is halted');
    expect(open.acts.some(({ act }) => act.act === 'clear')).toBe(false);
    await page.click('#sure-yes');
    await page.shows('#trading', 'active');
    expect(open.acts.map(({ act }) => act.act)).toEqual(['pause', 'resume', 'cancel', 'halt', 'clear']);
    expect(open.acts.every(({ who }) => who === 'dashboard')).toBe(true);
    expect(page.complaints).toEqual([]);
  });

  test.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)(
    'stops and starts a strategy and changes its parameters, %d pixels wide, %s',

    async (width, scheme) => {
      open = await operated({}, tokens, { tuned: true });
      const page = await shown(open, width, scheme);
      const type = async (name: string, set: string): Promise<void> => {
        await page.value(
          `{ const field = document.querySelector('.params [name="${name}"]'); field.${set}; field.dispatchEvent(new Event('input', { bubbles: true })); }`,
        );
      };
      const valueOf = (name: string) =>
        page.value(`document.querySelector('.params [name="${name}"]').value`);
      await page.click('#strategies-title');
      await page.focus('.strategy summary');
      await page.press('Enter');
      await page.shows('.params', 'seconds between quotes; from 1 to 60');
      expect(
        await page.value(
          '[...document.querySelectorAll(".params :is(input, select)")].map((one) => [one.name, one.type, one.value, one.min ?? "", one.disabled])',
        ),
      ).toEqual([
        ['pace', 'number', '7', '1', false],
        ['edge', 'number', '0.5', '', false],
        ['side', 'select-one', 'buy', '', false],
        ['eager', 'checkbox', 'on', '', false],
        ['note', 'text', 'calm', '', false],
        ['levels', 'text', '[1,2]', '', false],
        ['apiKey', 'text', '[secret]', '', true],
      ]);
      const apply = '.params button[data-act]';
      await page.click(apply);
      await page.shows('.params [role="status"]', 'Nothing is changed.');
      await type('pace', 'value = "99"');
      await page.click(apply);
      // The sentence stands at the field, which has the focus.
      await page.shows('.param:has([name="pace"])', 'found 99, expected at most 60');
      expect(await page.text('.params [role="status"]')).toBe('Refused: nothing was changed.');
      expect(await page.value('[document.activeElement.name, document.activeElement.ariaInvalid]')).toEqual([
        'pace',
        'true',
      ]);
      expect(await page.text('.param:has([name="edge"]) .bad')).toBe('');
      expect(await violations(page)).toEqual([]);
      await page.picture(join(pictures, `params-${width}.png`));
      expect(open.changed).toEqual([]);
      expect(await valueOf('pace')).toBe('99');
      await type('pace', 'value = "12"');
      await type('side', 'value = "sell"');
      await type('eager', 'checked = true');
      await type('levels', 'value = "[3]"');
      // By keys: enter in a field sends the form.
      await page.focus('.params [name="pace"]');
      await page.press('Enter');
      await page.shows('.params [role="status"]', 'strategy buyer: pace, side, eager, levels changed');
      expect(await page.text('.param:has([name="pace"]) .bad')).toBe('');
      const changes = { pace: 12, side: 'sell', eager: true, levels: [3] };
      expect(open.changed).toEqual([{ strategy: 'buyer', changes, who: 'dashboard', why: '' }]);
      // Another operator changes one: a field in which nobody typed shows it.
      await ask(open.server, '/api/acts', {
        body: { act: 'setParams', strategy: 'buyer', params: { pace: 30 } },
      });
      await holds(async () => expect(await valueOf('pace')).toBe('30'));
      const known = async (name: string) =>
        (await page.text(`.param:has([name="${name}"]) .known`)).split(/\s+/).join(' ');
      expect(await known('pace')).toBe('running 30 default 7');
      expect(await known('edge')).toBe('running 0.5 default 0.5');
      expect(await known('apiKey')).toBe('running [secret]');
      // A press on the default puts it into the field, and only *Apply* sends it.
      await page.click('[aria-label="Set pace to its default 7"]');
      expect([await valueOf('pace'), open.changed.length]).toEqual(['7', 2]);
      await page.click(apply);
      await holds(async () => expect(await known('pace')).toBe('running 7 default 7'));
      expect(open.changed.at(-1)).toMatchObject({ changes: { pace: 7 } });
      await page.click('[aria-label="Stop buyer"]');
      await page.shows('#sure', 'Stop buyer?');
      await page.click('#sure-yes');
      await page.shows('.strategy p', 'stopped: by dashboard');
      // An end that an operator asked for is not red, and one by a fault is.
      const reds = 'document.querySelectorAll(".strategy > p.bad, .bad-item").length';
      await page.shows('#wrong-title', 'Nothing is wrong. An operator asked for:');
      expect(await page.value(reds)).toBe(0);
      await page.click('[aria-label="Start buyer"]');
      await page.shows('#answer', 'strategy buyer: started');
      await page.shows('.strategy p', 'running');
      const { rig } = open;
      rig.subject.next({ kind: 'strategyStopped', ...rig.times, strategy: 'buyer', why: 'it threw' });
      await page.shows('.strategy p', 'stopped: it threw');
      await page.shows('#wrong-title', '1 thing is wrong');
      expect(await page.value(reds)).toBe(2);
      expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(page.complaints).toEqual([]);
    },
  );

  test('reads the configuration again after a confirmation, and asks once more where limits are raised', async () => {
    open = await operated();
    const page = await shown(open);
    await page.click('#reload');
    await page.shows('#sure', 'Reload the configuration?');
    expect(open.reloaded).toEqual([]);
    await page.click('#sure-yes');
    await page.shows('#answer', 'nothing has changed');
    open.reloads = () => ({
      changes: [{ name: 'orders.collarPercent', from: '5', to: '6' }],
      raises: ['orders.collarPercent'],
    });
    await page.click('#reload');
    await page.click('#sure-yes');
    await page.shows('#sure', 'this allows more than before: orders.collarPercent.');
    expect(open.reloaded).toHaveLength(1);
    await page.click('#sure-yes');
    await page.shows('#answer', '1 setting taken over');
    expect(open.reloaded).toEqual([', by dashboard', ', by dashboard']);
    expect(page.complaints).toEqual([]);
  });

  test.each([1280, 390])(
    'shows margin accounts while there are any, and what the controls refused, %d pixels wide',

    async (width) => {
      open = await operated();
      const page = await shown(open, width);
      await listed(page, 'controls', 'nothing was refused');
      expect(await page.text('#margin-title')).toBe('');
      reportMargin(open.rig);
      open.rig.trader.act({ act: 'pause', strategy: undefined }, 'ann', 'lunch');
      open.rig.wait(2_000);
      open.rig.trade(100);
      await listed(page, 'margin', '115');
      expect(
        await page.value(
          '[...document.querySelector("#margin tbody:not([aria-hidden]) tr").cells].slice(0, 4).map((cell) => cell.innerText)',
        ),
      ).toEqual(['margin, isolated', 'AAABBB', 'margin call', '50 BBB']);
      expect(await page.text('#liquidation')).toBe('AAABBB at 115, 15.0 % away');
      expect(await page.text('#wrong')).toContain(
        'AAABBB is under a margin call: liquidation at 115, 15.0 % away',
      );
      expect(await listed(page, 'controls', 'PAUSED')).toContain('lunch, by ann');
      expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.picture(join(pictures, `margin-${width}.png`));
      expect(page.complaints).toEqual([]);
    },
  );

  test('promotes a shadow after a confirmation', async () => {
    open = await operated();
    const page = await shown(open);
    const button = `document.querySelector('[aria-label="Promote shadow buyer"]')`;
    await listed(page, 'strategies', 'running');
    expect(await page.value(`${button}.hidden`)).toBe(true);
    open.shadow = { path: 'strategies/newer', params: { size: 4 }, state: 'running', why: '' };
    await page.shows('#strategies', 'Shadow running: 0 fills, profit none');
    const top = (text: string): Promise<number> =>
      page.value(
        `[...document.querySelectorAll('.beside p')].find((one) => one.textContent.startsWith('${text}')).getBoundingClientRect().top`,
      );
    expect(await top('Live: 0 fills')).toBe(await top('Shadow'));
    expect(await page.value(`${button}.hidden`)).toBe(false);
    await page.click('[aria-label="Promote shadow buyer"]');
    await page.shows('#sure', 'Promote the shadow of buyer?');
    expect(await page.shows('#sure', 'path strategies/buyer becomes strategies/newer')).toContain(
      'size 3 becomes 4',
    );
    await page.press('Escape');
    expect(open.changed).toEqual([]);
    await page.click('[aria-label="Promote shadow buyer"]');
    await page.shows('#sure', 'size 3 becomes 4');
    await page.click('#sure-yes');
    await holds(() => expect(open?.changed).toEqual([{ promoted: 'buyer', who: 'dashboard', why: '' }]));
    expect(page.complaints).toEqual([]);
  });

  test('a page of an earlier run changes nothing of a later one', async () => {
    open = await operated();
    const port = Number(new URL(open.server.url).port);
    const page = await shown(open);
    await page.click('#halt');
    await page.shows('#sure', 'Halt trading?');
    await open.server.close();
    await page.shows('#link', 'Disconnected since');
    open = await operated({ port }, tokens, { run: 'r2' });
    await page.click('#sure-yes');
    await page.shows('#answer', 'nothing was done: this was meant for run "r1"');
    expect(await page.text('#answer')).toContain('started again as run r2; look at it, then ask again');
    expect(open.acts).toEqual([]);
    await page.shows('#run', 'r2');
    await page.click('#pause');
    await listed(page, 'strategies', 'paused');
    expect(open.acts.map(({ act }) => act.act)).toEqual(['pause']);
  });

  test('keeps the curve of the run that comes before its first state', async () => {
    open = await operated();
    trade(open);
    const page = await (browser as Browser).page(1280, 900);
    const begun = new Date(new SystemClock().now() / 1_000 - 3_600_000);
    // The stream is read once all that is asked for beside it was answered, and drawn.
    await page.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `{
        const fetched = window.fetch.bind(window);
        const beside = new Set(['/api/curve', '/api/fills', '/api/alerts', '/api/journal', '/api/feeds']);
        let answered;
        const all = new Promise((resolve) => { answered = resolve; });
        window.fetch = async (path, ...rest) => {
          const answer = await fetched(path, ...rest);
          beside.delete(path);
          if (beside.size === 0) setTimeout(() => requestAnimationFrame(answered));
          if (path === '/api/curve')
            return Response.json({
              times: [${begun.getTime()}, ${begun.getTime() + 60_000}],
              currencies: [{ currency: 'BBB', profit: [1, 3], drawdown: [0, 0], equity: [null, null] }],
              strategies: [],
            });
          if (path !== '/api/events') return answer;
          const reader = answer.body.getReader();
          const read = reader.read.bind(reader);
          reader.read = () => all.then(read);
          return { ok: true, status: 200, body: { getReader: () => reader } };
        };
      }`,
    });
    await page.open(`${open.server.url}/#token=${tokens.operate}`);
    await page.shows('#trading', 'active');
    await page.shows('#curve-note', `${begun.toISOString().slice(11, 16)} UTC`);
    expect(page.complaints).toEqual([]);
  });

  test('halts a daemon that answers while its stream is lost', async () => {
    open = await operated();
    const page = await shown(open);
    await page.value(`{
      const fetched = window.fetch;
      window.fetch = (path, ...rest) =>
        path === '/api/events' ? Promise.reject(new Error('lost')) : fetched(path, ...rest);
      document.dispatchEvent(new Event('visibilitychange'));
    }`);
    await page.shows('#link', 'Disconnected since');
    const on = '[...document.querySelectorAll("button[data-act]:enabled")].map((one) => one.id)';
    await holds(async () => expect(await page.value(on)).toEqual(['halt']));
    expect(await page.text('#unreachable')).toBe('');
    await page.click('#halt');
    await page.shows('#sure', 'Halt trading?');
    await page.click('#sure-yes');
    await page.shows('#answer', 'trading is halted; own orders are canceled');
    expect(open.acts.map(({ act }) => act.act)).toEqual(['halt']);
    expect(page.complaints).toEqual([]);
  });

  test('keeps what was last known of a daemon that is gone, with its time, and shows the next run when it is there again', async () => {
    open = await operated();
    const port = Number(new URL(open.server.url).port);
    const page = await shown(open);
    const id = trade(open);
    await listed(page, 'orders', id);
    await page.shows('#profit', 'Account');
    await page.value('document.querySelector("#profit .u-wrap").dataset.test = "drawn once"');
    await open.server.close();
    await page.shows('#link', 'Disconnected since');
    expect(await page.text('#away')).toMatch(/^Last known, of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/);
    expect(await page.text('#run')).toBe('r1, sim, at http://127.0.0.1:7');
    expect(await page.text('#orders')).toContain(id);
    expect(await page.value('getComputedStyle(document.querySelector("main")).filter')).toBe('grayscale(1)');
    const on = '[...document.querySelectorAll("button[data-act]:enabled")].map((one) => one.id)';
    // No button can reach it, the red one neither: the page says what still halts.
    expect(await page.shows('#unreachable', 'godwit halt')).toContain('godwit kill');
    expect(await page.value(on)).toEqual([]);
    // The plot stands as it was drawn, with its buttons.
    expect(await page.value('document.querySelector("#profit .u-wrap").dataset.test')).toBe('drawn once');
    await page.picture(join(pictures, 'away-1280.png'));
    open = await operated({ port }, tokens, { run: 'r2' });
    await page.shows('#run', 'r2');
    await holds(async () => expect(await page.text('#link')).toBe(''));
    expect(await page.text('#away')).toBe('');
    await holds(async () => expect(await page.text('#orders')).not.toContain(id));
    expect(await page.text('#unreachable')).toBe('');
    expect(await page.value(on)).toEqual(expect.arrayContaining(['halt', 'pause']));
    await open.server.close();
    open = await operated({ port }, { operate: 'another-token-of-the-test' }, { run: 'r3' });
    await page.shows('#link', 'does not accept this token');
    await page.value('document.getElementById("token").value = "another-token-of-the-test"');
    await page.click('#enter button');
    await page.shows('#run', 'r3');
    expect(page.complaints).toEqual([]);
  });
});

function openDifference(clientOrderId: string): Difference {
  return {
    key: 'execution 0 buy 77',
    kind: 'execution',
    product: 'spot',
    strategy: 'buyer',
    clientOrderId: clientOrderId as never,
    cause: 'trade 77 was reported, and the trade history does not show it',
    since: 1_700_000_000_000_000 as never,
    reads: 2,
  };
}
