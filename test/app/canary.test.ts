import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configSchema } from '../../src/app/config/schema.ts';
import { sentenceOf } from '../../src/app/cli/errors.ts';
import { OrderExplainer } from '../../src/app/inspect/order-explainer.ts';
import { runTrade } from '../../src/app/live/trade.ts';
import { Random } from '../../src/core/base/random.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { ExchangeServer } from '../../src/exchange/server/server.ts';
import { readFrameLog } from '../../src/data/frames/index.ts';
import { until } from '../system/support/until.ts';

// A whole session at full log: what it writes and answers is searched for its key and its secret.

const folder = mkdtempSync(join(tmpdir(), 'godwit-canary-'));
let exchange: ExchangeServer;
let words: readonly string[];

beforeAll(async () => {
  exchange = await ExchangeServer.start({ options: {}, clock: new SystemClock(), random: new Random(17) });
  const key = exchange.accounts.get('demo').keys[0];
  words = [key?.apiKey ?? '', key?.secret.reveal() ?? ''];
  expect(Math.min(...words.map(({ length }) => length))).toBeGreaterThan(15);
});
afterAll(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = 8;

/** Texts in which a word would stand: itself in any of its runs, and whole in base64, hex, escapes of addresses and of JSON. */
function formsOf([key = '', secret = '']: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const word of [key, secret]) {
    for (let at = 0; at + run <= word.length; at++) forms.add(word.slice(at, at + run));
    forms.add(
      word
        .split('')
        .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
        .join(''),
    );
    forms.add(
      word
        .split('')
        .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    );
  }
  for (const word of [key, secret, `${key}:${secret}`]) {
    const bytes = Buffer.from(word);
    forms.add(bytes.toString('hex'));
    forms.add(bytes.toString('hex').toUpperCase());
    // Within a longer text the letters of base64 stand in one of three ways; those at the ends depend on what is beside them.
    for (const before of ['', 'x', 'xx'])
      forms.add(
        Buffer.concat([Buffer.from(before), bytes])
          .toString('base64')
          .slice(4, -4),
      );
  }
  return [...forms];
}

/** Names of texts in which a form stands. */
function found(texts: ReadonlyMap<string, string>): string[] {
  const forms = formsOf(words);
  return [...texts].flatMap(([name, text]) => (forms.some((form) => text.includes(form)) ? [name] : []));
}

function configOf(secret: string): ReturnType<typeof configSchema.parse> {
  return configSchema.parse({
    run: { directory: join(folder, secret) },
    venue: {
      base_url: exchange.restUrl,
      ws_url: exchange.wsUrl,
      api_key: '${env:CANARY_KEY}',
      secret_key: `\${env:${secret}}`,
    },
    strategies: [{ name: 'maker', path: 'strategies/market-maker', host: 'thread' }],
    record: { directory: join(folder, 'recording') },
    log: { level: 'debug' },
  });
}

interface Ended {
  readonly code: number | undefined;
  readonly said: string;
}

/** A session with the keys; `during` runs once it trades. */
async function session(secret: string, during?: (directory: string) => Promise<void>): Promise<Ended> {
  const said: string[] = [];
  const config = configOf(secret);
  const [CANARY_KEY = '', CANARY_SECRET = ''] = words;
  const take = (line: string): void => void said.push(line);
  const ended = runTrade({
    mode: 'sim',
    live: false,
    config,
    read: () => config,
    environment: { CANARY_KEY, CANARY_SECRET, WRONG: CANARY_SECRET.split('').toReversed().join('') },
    output: { data: take, progress: take, colour: false },
    json: true,
    forMs: 1_500,
    record: true,
    clearHalt: false,
    explains: (places, clock) => new OrderExplainer(places, clock),
  });
  try {
    await Promise.all([ended, during?.(config.run.directory)]);
    return { code: await ended, said: said.join('\n') };
  } catch (error) {
    return { code: undefined, said: [...said, sentenceOf(error), inspect(error, { depth: 9 })].join('\n') };
  }
}

/** What the interface answers on every path that is read. */
async function answers(directory: string): Promise<Map<string, string>> {
  const file = join(directory, 'operate.json');
  const read = (): { readonly url: string; readonly token: string } =>
    JSON.parse(readFileSync(file, 'utf8')) as { url: string; token: string };
  await until('the interface', () => {
    try {
      return read().token !== '';
    } catch {
      return false;
    }
  });
  const { url, token } = read();
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (path: string): Promise<string> =>
    await (await fetch(new URL(path, url), { headers })).text();
  const document = JSON.parse(await ask('/openapi.json')) as { readonly paths: Record<string, object> };
  const paths = Object.entries(document.paths).flatMap(([path, acts]) =>
    'get' in acts && !path.includes('{') && !/live|events|stream/.test(path) ? [path] : [],
  );
  const shown = new Map<string, string>();
  for (const path of [...paths, '/metrics', '/api/status?x=1', '/nothing-here'])
    shown.set(`answer of ${path}`, await ask(path));
  return shown;
}

describe('a session with a key that is looked for', () => {
  test('writes, prints and answers neither key nor secret, in whatever form', async () => {
    let shown = new Map<string, string>();
    const { code, said } = await session('CANARY_SECRET', async (directory) => {
      shown = await answers(directory);
    });
    expect([code, said]).toEqual([0, expect.stringContaining('Trading (sim)')]);
    const texts = new Map([...shown, ['what it prints', said], ['arguments', process.argv.join('\n')]]);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      texts.set(path, readFileSync(path).toString('latin1'));
    }
    const frames: string[] = [];
    for await (const block of readFrameLog(join(folder, 'recording')))
      frames.push(...block.map(({ bytes }) => Buffer.from(bytes).toString('utf8')));
    expect(frames.join('\n')).toContain('"method":"login"');
    texts.set('frames of the recording', frames.join('\n'));
    const names = [...texts.keys()].join('\n');
    for (const needed of ['journal', '.log', 'report', 'answer of /metrics']) expect(names).toContain(needed);
    expect(shown.size).toBeGreaterThan(15);
    expect(found(texts)).toEqual([]);
  });

  test('ends in a sentence without them where the venue does not take the key', async () => {
    const { code, said } = await session('WRONG');
    expect(code ?? 78).not.toBe(0);
    expect(said).not.toBe('');
    expect(found(new Map([['what it says', said]]))).toEqual([]);
  });

  test('would be seen: each form is found in a text that has it', () => {
    for (const form of formsOf(words))
      expect(found(new Map([['planted', `x ${form} y`]]))).toEqual(['planted']);
    expect(found(new Map([['clean', 'a text about nothing']]))).toEqual([]);
  });
});
