import { Agent, fetch } from 'undici';
import type { Response } from 'undici';
import { z } from 'zod';
import { millis } from '../../../src/core/base/clock.ts';
import { until, waitMax } from './until.ts';

/** Limits of the exchange are per address: an observer must not use up those of the daemon. Other systems than Linux have one loopback address. */
const apart = new Agent(process.platform === 'linux' ? { connect: { localAddress: '127.0.0.2' } } : {});

const received = z.object({
  rest: z.string(),
  ws: z.string(),
  accounts: z.array(z.object({ api_key: z.string(), secret_key: z.string() })).min(1),
});

const rows = z.array(
  z.object({ client_order_id: z.string(), quantity: z.string(), quantity_cumulative: z.string() }),
);

const trades = z.array(z.object({ side: z.enum(['buy', 'sell']), quantity: z.string() }));

export interface VenueRow {
  readonly id: string;
  readonly quantity: string;
  readonly cumulative: string;
}

/** An account of an exchange in another process, asked over REST with its key: code of its own, none of the client's. */
export class Account {
  readonly rest: string;
  readonly ws: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly #authorization: string;

  private constructor(rest: string, ws: string, key: string, secret: string) {
    this.rest = rest;
    this.ws = ws;
    this.environment = { KEY: key, SECRET: secret };
    this.#authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  }

  /** Options of the command line for a daemon that trades on this account and keeps its run in `directory`; `more`: other settings. */
  settings(directory: string, more: Readonly<Record<string, string>>): readonly string[] {
    const settings = {
      'venue.base_url': this.rest,
      'venue.ws_url': this.ws,
      'venue.api_key': '${env:KEY}',
      'venue.secret_key': '${env:SECRET}',
      'run.directory': directory,
      ...more,
    };
    return Object.entries(settings).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
  }

  /** Of the line that `godwit exchange --json` prints: its keys in the order of the line. */
  static of(line: string, index = 0): Account {
    const { rest, ws, accounts } = received.parse(JSON.parse(line));
    const keys = accounts[index];
    return new Account(rest, ws, keys?.api_key ?? '', keys?.secret_key ?? '');
  }

  active(): Promise<readonly VenueRow[]> {
    return this.#rows('/api/3/spot/order');
  }

  /** Every order the exchange has had of this account, the live ones included. */
  async orders(): Promise<readonly VenueRow[]> {
    const [ended, live] = await Promise.all([
      this.#rows('/api/3/spot/history/order?limit=1000'),
      this.#rows('/api/3/spot/order'),
    ]);
    const known = new Set(ended.map(({ id }) => id));
    return [...ended, ...live.filter(({ id }) => !known.has(id))];
  }

  /** Every fill of this account, its quantity negative where it was sold. */
  async fills(): Promise<readonly number[]> {
    const found = trades.parse(await this.#answer('/api/3/spot/history/trade?limit=1000'));
    return found.map(({ side, quantity }) => (side === 'buy' ? Number(quantity) : -Number(quantity)));
  }

  /** Answer to a path below `/api/3`, later where a limit of the exchange is reached. */
  ask(path: string): Promise<unknown> {
    return until(
      path,
      async () => {
        const answer = await this.#get(`/api/3/${path}`);
        if (answer.status !== 429) return { body: await bodyOf(path, answer) };
        return undefined;
      },
      waitMax,
      millis(250),
    ).then(({ body }) => body);
  }

  async #rows(path: string): Promise<readonly VenueRow[]> {
    return rows.parse(await this.#answer(path)).map((row) => ({
      id: row.client_order_id,
      quantity: row.quantity,
      cumulative: row.quantity_cumulative,
    }));
  }

  async #answer(path: string): Promise<unknown> {
    return bodyOf(path, await this.#get(path));
  }

  #get(path: string): Promise<Response> {
    return fetch(this.rest + path, { headers: { authorization: this.#authorization }, dispatcher: apart });
  }
}

async function bodyOf(path: string, answer: Response): Promise<unknown> {
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}
