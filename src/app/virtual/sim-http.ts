import type { Dispatcher } from 'undici';
import type { Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { HttpPool } from '../../venues/net/network.ts';
import type { HttpAnswer, RestBinding, RestFallback, RestRequest } from '../../exchange/http/index.ts';
import type { Faults } from '../../exchange/base/index.ts';
import type { CounterRandom } from './counter-random.ts';
import type { RoadState, Weather } from './weather.ts';

interface Route {
  readonly parts: readonly string[];
  readonly binding: RestBinding;
}

/** The exchange's REST server without HTTP: finds who answers at a path, as fastify does. */
export class RestServer {
  readonly #routes = new Map<string, Route[]>();
  readonly #fallback: RestFallback;
  readonly #clock: Clock;
  readonly #faults: Faults;
  #count = 0;

  constructor(parts: {
    bindings: readonly RestBinding[];
    fallback: RestFallback;
    clock: Clock;
    faults: Faults;
  }) {
    this.#fallback = parts.fallback;
    this.#clock = parts.clock;
    this.#faults = parts.faults;
    for (const binding of parts.bindings) {
      const route = { parts: binding.path.split('/'), binding };
      const key = `${binding.method} ${route.parts.length}`;
      const known = this.#routes.get(key);
      if (known === undefined) this.#routes.set(key, [route]);
      else known.push(route);
    }
  }

  /** `reply` is called once: now, later, or never, as the faults of the exchange say. */
  take(options: Dispatcher.DispatchOptions, reply: (answer: HttpAnswer, date: string) => void): void {
    const [path = '', query = ''] = options.path.split('?', 2);
    const parts = path.replace(/(?<!\/)\/+$/, '').split('/');
    const routes = this.#routes.get(`${options.method} ${parts.length}`) ?? [];
    const fits = (route: Route) => route.parts.every((part, i) => part.startsWith(':') || part === parts[i]);
    const literal = routes.find((route) => route.parts.every((part, i) => part === parts[i]));
    const route = literal ?? routes.find(fits);
    const request = this.#request(options, { path, query, parts, route });
    const answer = route === undefined ? this.#fallback.notFound(request) : route.binding.answer(request);
    const tell = (received: HttpAnswer): void =>
      this.#faults.deliver(() => reply(received, this.date()), route?.binding.changesOrders);
    if (answer instanceof Promise) void answer.then(tell);
    else tell(answer);
  }

  /** Time of the exchange's clock, as its answers have it. */
  date(): string {
    return new Date(this.#clock.now() / 1_000).toUTCString();
  }

  #request(
    { method, headers, body }: Dispatcher.DispatchOptions,
    target: { path: string; query: string; parts: readonly string[]; route: Route | undefined },
  ): RestRequest {
    const { path, query, parts, route } = target;
    const all = headers as Readonly<Record<string, string>>;
    this.#count += 1;
    return {
      method,
      path,
      query,
      pathParameters: Object.fromEntries(
        (route?.parts ?? []).flatMap((part, i) =>
          part.startsWith(':') ? [[part.slice(1), parts[i] ?? '']] : [],
        ),
      ),
      contentType: all['content-type'] ?? '',
      body: typeof body === 'string' ? body : '',
      authorization: all['authorization'],
      address: '127.0.0.1',
      requestId: `sim-${this.#count}`,
      time: this.#clock.now(),
      onGone: () => () => {},
    };
  }
}

export interface PoolDeps {
  readonly time: VirtualClock;
  readonly road: RoadState;
  readonly weather: Weather;
  readonly random: CounterRandom;
  readonly server: RestServer;
  /** A request leaves the trader, and an answer (status 0: the connection died) reaches it. */
  readonly sent: (text: string) => void;
  readonly arrives: (text: string, request: string) => void;
  readonly touched: () => void;
  /** Marks an act of the faults on a request or an answer. */
  readonly mark: (name: string) => void;
}

/** Undici's pool over the simulated road: each request may die on the way, or its answer on the way back. */
export class SimPool {
  readonly #parts: PoolDeps;
  readonly #open = new Set<(why: string) => void>();
  #dead = false;

  constructor(parts: PoolDeps) {
    this.#parts = parts;
  }

  asPool(): HttpPool {
    return this as unknown as HttpPool;
  }

  /** The process that asked is gone. */
  abandon(): void {
    this.#dead = true;
  }

  destroy(): Promise<void> {
    for (const fail of Array.from(this.#open)) fail('destroyed');
    return Promise.resolve();
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { time, road } = this.#parts;
    let over = false;
    const controller = {
      abort: () => {
        over = true;
        this.#open.delete(fail);
      },
      paused: false,
      aborted: false,
      reason: null,
      pause() {},
      resume() {},
    } as unknown as Dispatcher.DispatchController;
    const fail = (why: string): void => {
      if (over || this.#dead) return;
      over = true;
      this.#open.delete(fail);
      handler.onResponseError?.(controller, new Error(why));
    };
    this.#open.add(fail);
    if (road.refusedTo > time.now()) {
      this.#parts.mark('branch/request refused');
      this.#later(this.#delay(), () => fail('connect ECONNREFUSED'));
      return true;
    }
    handler.onRequestStart?.(controller, {});
    if (over) return true;
    this.#parts.sent(`${options.method} ${options.path}`);
    const answered = (answer: HttpAnswer, date: string): void => {
      if (over || this.#dead) return;
      over = true;
      this.#open.delete(fail);
      this.#parts.arrives(`${answer.status} ${answer.text}`, `${options.method} ${options.path}`);
      handler.onResponseStart?.(controller, answer.status, { date }, '');
      handler.onResponseData?.(controller, Buffer.from(answer.text, 'utf8'));
      handler.onResponseEnd?.(controller, {});
    };
    this.#travel(options, answered, fail);
    return true;
  }

  #travel(
    options: Dispatcher.DispatchOptions,
    answered: (answer: HttpAnswer, date: string) => void,
    fail: (why: string) => void,
  ): void {
    const { time, road, random, mark } = this.#parts;
    const now = time.now();
    if (road.upLostTo > now) return;
    if (random.chance(road.requestLoss)) {
      mark('branch/request lost');
      this.#later(this.#delay(), () => fail('read ECONNRESET'));
      return;
    }
    const arrival = Math.max(now + this.#delay(), road.upHeldTo);
    this.#later(arrival - now, () =>
      this.#take(options, (answer, date) => {
        const then = time.now();
        if (road.downLostTo > then) return;
        const back = Math.max(then + this.#delay(), road.downHeldTo) - then;
        if (random.chance(road.replyLoss)) {
          mark('branch/answer lost');
          this.#later(back, () => fail('read ECONNRESET'));
        } else this.#later(back, () => answered(answer, date));
      }),
    );
  }

  /** The exchange answers, or whoever meddles. */
  #take(options: Dispatcher.DispatchOptions, reply: (answer: HttpAnswer, date: string) => void): void {
    const { server, weather } = this.#parts;
    const request = `${options.method} ${options.path}`;
    const instead = weather.instead(request);
    if (instead !== undefined) {
      reply(instead, server.date());
      return;
    }
    server.take(options, (answer, date) => {
      const later = weather.laterMs(request);
      const changed = weather.answered(request, answer);
      if (later === 0) reply(changed, date);
      else
        this.#later(later * 1_000, () => {
          weather.latestAnswerMs = Math.max(weather.latestAnswerMs, later);
          reply(changed, date);
        });
    });
  }

  #delay(): number {
    const { road, random } = this.#parts;
    return Math.round(road.delayMin + random.exponential(road.delayMean));
  }

  #later(delay: number, task: () => void): void {
    this.#parts.time.after(micros(Math.max(1, Math.round(delay))), () => {
      this.#parts.touched();
      task();
    });
  }
}
