import { Agent, fetch } from 'undici';
import { z } from 'zod';
import { millis } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';

const clock = new SystemClock();
const book = z.object({ ask: z.array(z.array(z.string())), bid: z.array(z.array(z.string())) });
const refused = z.object({ error: z.object({ code: z.number() }) });

/** Orders of a program by its own ids, and what became of what it asked for. */
export interface LoadSums {
  /** Orders that were answered with 200. */
  readonly placed: number;
  /** Requests that were asked again under the same id after a silence, a 503 or a 504. */
  readonly repeated: number;
  /** Answers that name a denial or a refusal. */
  readonly refused: number;
}

/**
 * A program of others that places, replaces and cancels orders over HTTP as fast as it is answered. Where it has no answer, or one that leaves
 * open what became of the order, it asks for the same order again under the same id, until it has one: the careless client.
 */
export class ProgramLoad {
  readonly #url: string;
  readonly #authorization: string;
  readonly #symbol: string;
  readonly #name: string;
  readonly #random: Random;
  readonly #agent = new Agent({ connections: 4 });
  readonly #live: string[] = [];
  #count = 0;
  #placed = 0;
  #repeated = 0;
  #refused = 0;
  #stopped = false;
  #loops: readonly Promise<void>[] = [];

  constructor(parts: {
    readonly url: string;
    readonly name: string;
    readonly key: { readonly apiKey: string; readonly secret: string };
    readonly symbol: string;
    readonly seed: number;
  }) {
    this.#url = `${parts.url}/api/3/`;
    this.#authorization = `Basic ${Buffer.from(`${parts.key.apiKey}:${parts.key.secret}`).toString('base64')}`;
    this.#symbol = parts.symbol;
    this.#name = parts.name;
    this.#random = new Random(parts.seed).fork(parts.name);
  }

  get sums(): LoadSums {
    return { placed: this.#placed, repeated: this.#repeated, refused: this.#refused };
  }

  start(loops: number): void {
    this.#loops = Array.from({ length: loops }, () => this.#run());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
    await this.#agent.destroy();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const [live] = this.#live;
      const kind = this.#random.between(0, 9);
      if (live === undefined || (kind < 5 && this.#live.length < 8)) await this.#place();
      else if (kind < 8) await this.#cancel(live);
      else await this.#replace(live);
    }
  }

  async #place(): Promise<void> {
    const touch = await this.#touch();
    if (touch === undefined) return;
    const side = this.#random.between(0, 1) === 0 ? 'buy' : 'sell';
    // Beside the touch, and sometimes through it.
    const away = this.#random.between(-2, 20) / 10_000;
    const price = side === 'buy' ? touch.ask * (1 - away) : touch.bid * (1 + away);
    const id = `${this.#name}-${(this.#count += 1)}-order`;
    const form = {
      client_order_id: id,
      symbol: this.#symbol,
      side,
      quantity: '0.01',
      price: price.toFixed(2),
    };
    if ((await this.#askUntilKnown('POST', 'spot/order', form)) === 200) {
      this.#placed += 1;
      this.#live.push(id);
    }
  }

  async #replace(id: string): Promise<void> {
    this.#forget(id);
    const touch = await this.#touch();
    if (touch === undefined) return;
    const next = `${this.#name}-${(this.#count += 1)}-order`;
    const form = { new_client_order_id: next, quantity: '0.02', price: (touch.bid * 0.999).toFixed(2) };
    if ((await this.#askUntilKnown('PATCH', `spot/order/${id}`, form)) === 200) {
      this.#placed += 1;
      this.#live.push(next);
    }
  }

  async #cancel(id: string): Promise<void> {
    this.#forget(id);
    await this.#askUntilKnown('DELETE', `spot/order/${id}`);
  }

  #forget(id: string): void {
    const at = this.#live.indexOf(id);
    if (at >= 0) this.#live.splice(at, 1);
  }

  async #touch(): Promise<{ readonly ask: number; readonly bid: number } | undefined> {
    const answer = await this.#ask('GET', `public/orderbook/${this.#symbol}?depth=1`);
    const read = book.safeParse(answer?.body);
    const [ask, bid] = [read.data?.ask[0]?.[0], read.data?.bid[0]?.[0]];
    if (ask !== undefined && bid !== undefined) return { ask: Number(ask), bid: Number(bid) };
    await this.#pause(50);
    return undefined;
  }

  /** Status of the answer that says what became of it; `undefined` when the load is stopped before there is one. */
  async #askUntilKnown(method: string, path: string, form?: object): Promise<number | undefined> {
    while (!this.#stopped) {
      const answer = await this.#ask(method, path, form);
      if (answer !== undefined && answer.status !== 503 && answer.status !== 504) {
        if (answer.status !== 200 && refused.safeParse(answer.body).success) this.#refused += 1;
        return answer.status;
      }
      this.#repeated += 1;
      await this.#pause(50);
    }
    return undefined;
  }

  async #ask(
    method: string,
    path: string,
    form?: object,
  ): Promise<{ readonly status: number; readonly body: unknown } | undefined> {
    try {
      const answer = await fetch(this.#url + path, {
        method,
        headers: { authorization: this.#authorization, 'content-type': 'application/json' },
        body: form === undefined ? null : JSON.stringify(form),
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(5_000),
      });
      return { status: answer.status, body: await answer.json() };
    } catch {
      return undefined;
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void clock.after(millis(ms), resolve));
  }
}
