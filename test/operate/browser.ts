import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { dirname, join } from 'node:path';
import { millis } from '../../src/core/base/clock.ts';
import { pause } from '../../src/core/base/pause.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { waitMax } from '../system/support/until.ts';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const clock = new SystemClock();

/** Where the tests find a browser; without one they are skipped. */
export const hasBrowser = program !== undefined;

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/**
 * A Chromium without a window, driven over its DevTools protocol, of which each message ends with a byte of zero. It ends with the process
 * that started it, also where that is killed: then its pipe is closed.
 */
export class Browser {
  readonly #child: ChildProcess;
  readonly #asks: Writable;
  readonly #folder: string;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #pages = new Map<string, Page>();
  #id = 0;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    const [, , , asks, answers] = child.stdio;
    this.#asks = asks as Writable;
    this.#asks.on('error', () => {});
    let pieces: Buffer[] = [];
    (answers as Readable).on('data', (part: Buffer) => {
      let from = 0;
      for (let at = part.indexOf(0); at >= 0; at = part.indexOf(0, from)) {
        pieces.push(part.subarray(from, at));
        this.#take(JSON.parse(Buffer.concat(pieces).toString()) as Message);
        pieces = [];
        from = at + 1;
      }
      pieces.push(part.subarray(from));
    });
  }

  static async start(): Promise<Browser> {
    const folder = mkdtempSync(join(tmpdir(), 'godwit-browser-'));
    const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    const child = spawn(
      program ?? '',
      [...args, '--remote-debugging-pipe', `--user-data-dir=${folder}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
    );
    let text = '';
    child.stderr?.setEncoding('utf8').on('data', (part: string) => (text = (text + part).slice(-500)));
    const browser = new Browser(child, folder);
    await Promise.race([
      browser.send('Browser.getVersion'),
      once(child, 'exit').then(([code]: unknown[]) => {
        throw new Error(`the browser ended with ${String(code)}: ${text}`);
      }),
    ]);
    return browser;
  }

  /** An empty page of that width. */
  async page(width: number, height: number, scheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page((method, params) => this.send(method, params, String(sessionId)));
    this.#pages.set(String(sessionId), page);
    for (const domain of ['Page', 'Runtime', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await page.send('Emulation.setEmulatedMedia', { features });
    await page.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    return page;
  }

  async send(
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = (this.#id += 1);
    const message = await new Promise<Message>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#asks.write(
        `${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`,
      );
    });
    if (message.error !== undefined) throw new Error(`${method}: ${message.error.message}`);
    return message.result ?? {};
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => {
      this.#child.once('exit', resolve);
    });
    this.#child.kill('SIGTERM');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #take(message: Message): void {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    } else this.#pages.get(message.sessionId ?? '')?.note(message.method ?? '', message.params ?? {});
  }
}

type Send = (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>;

/** One page: what it complained of is kept. */
export class Page {
  readonly send: Send;
  /** Uncaught errors, and what breaks the content policy. */
  readonly complaints: string[] = [];

  constructor(send: Send) {
    this.send = send;
  }

  note(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params));
    if (method !== 'Log.entryAdded') return;
    const { entry } = params as { entry: { source: string; level: string; text: string } };
    if (entry.source === 'security' || entry.source === 'javascript') this.complaints.push(entry.text);
  }

  async open(address: string): Promise<void> {
    await this.send('Page.navigate', { url: address });
  }

  /** The value of an expression in the page. */
  async value<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value: Value }; exceptionDetails?: unknown };
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value;
  }

  /** What stands in an element, as a person sees it; nothing when it is hidden or missing. */
  async text(selector: string): Promise<string> {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    return await this.value(`${element}?.checkVisibility() ? ${element}.innerText : ''`);
  }

  /** Waits until an element shows a text. Returns what it shows in the end. */
  async shows(selector: string, wanted: string): Promise<string> {
    const end = clock.uptime() + waitMax;
    let text = '';
    while (clock.uptime() < end) {
      try {
        text = await this.text(selector);
      } catch {
        // The page is on its way.
      }
      if (text.includes(wanted)) return text;
      await pause(clock, millis(25));
    }
    throw new Error(`expected ${selector} to show ${wanted}, found ${text.slice(0, 400)}`);
  }

  /** Presses an element once it is there and can be pressed. */
  async click(selector: string): Promise<void> {
    await this.#with(selector, 'click()');
  }

  /** Gives an element the focus once it is there and can have it. */
  async focus(selector: string): Promise<void> {
    await this.#with(selector, 'focus()');
  }

  /** A live page makes elements anew: an element is found and used in one step, as soon as it is there. */
  async #with(selector: string, act: string): Promise<void> {
    const end = clock.uptime() + waitMax;
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.checkVisibility() && !one.disabled)`;
    while (
      !(await this.value<boolean>(
        `(() => { const one = ${found}; one?.${act}; return one !== undefined; })()`,
      ))
    ) {
      if (clock.uptime() > end) throw new Error(`expected ${selector} to be there, to ${act}`);
      await pause(clock, millis(25));
    }
  }

  async press(key: string): Promise<void> {
    for (const type of ['keyDown', 'keyUp'])
      await this.send('Input.dispatchKeyEvent', {
        type,
        key,
        code: key,
        ...(type === 'keyDown' && key === 'Enter' && { text: '\r' }),
        windowsVirtualKeyCode: key === 'Tab' ? 9 : key === 'Escape' ? 27 : 13,
      });
  }

  /** The page as a picture: all of it, or what the window shows. */
  async picture(file: string, whole = true): Promise<void> {
    // The header stays in sight: of a page that was moved it would stand in the middle.
    if (whole) await this.value('scrollTo(0, 0)');
    await this.#capture(file, { format: 'png', captureBeyondViewport: whole });
  }

  /** What its window shows, in a small file of WebP. Returns the bytes of it. */
  async shown(file: string): Promise<number> {
    await this.value('scrollTo(0, 0)');
    return await this.#capture(file, { format: 'webp', quality: 80 });
  }

  async #capture(file: string, how: object): Promise<number> {
    const { data } = await this.send('Page.captureScreenshot', how);
    mkdirSync(dirname(file), { recursive: true });
    const bytes = Buffer.from(String(data), 'base64');
    writeFileSync(file, bytes);
    return bytes.length;
  }
}

/** What axe finds, with where. */
export async function violations(page: Page): Promise<readonly string[]> {
  // It stays in a page until another address is opened.
  if (!(await page.value<boolean>(`'axe' in globalThis`))) await page.value(`${axe}; undefined`);
  return await page.value(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, any }) => target.join(' ') + ' ' + (any[0]?.message ?? '')).join('; ')))`,
  );
}
