import { micros } from '../../src/core/base/clock.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Instrument, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { HttpAnswer } from '../../src/exchange/http/http.ts';
import type { ProgramCheck } from './check-programs.ts';
import { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import type { ProgramRole } from './program-roles.ts';
import type { ProgramRequest, SimGateway } from './sim-gateway.ts';
import type { SimExchange } from './sim-exchange.ts';

export interface ProgramClientParts {
  readonly role: ProgramRole;
  readonly seed: number;
  readonly time: VirtualClock;
  readonly exchange: SimExchange;
  /** The gateway of the process that runs, if one does. */
  readonly gateway: () => SimGateway | undefined;
  readonly check: ProgramCheck;
  readonly touched: () => void;
  readonly isIdle: () => boolean;
}

const everyMs = 450;
/** A client gives a request up that has no answer after this: later than the gateway does. */
const patienceMs = 14_000;
const liveMax = 8;

/**
 * A program that trades through the gateway: it places, replaces, cancels and lists one request after another, gives its orders ids of its own
 * (the same ones as every other program), and asks again under the same id where it has no answer.
 */
export class ProgramClient {
  readonly #parts: ProgramClientParts;
  readonly #random: CounterRandom;
  /** Ids of orders that were answered as live, in order of their placing. */
  readonly #live: string[] = [];
  #count = 0;
  /** Ends the request under way as one without an answer. */
  #giveUp: (() => void) | undefined;

  constructor(parts: ProgramClientParts) {
    this.#parts = parts;
    this.#random = new CounterRandom(parts.seed, `program/${parts.role.name}`);
    this.#later(3_000, () => this.#act());
  }

  /** The process that was asked is gone. */
  cut(): void {
    const giveUp = this.#giveUp;
    if (giveUp !== undefined) this.#later(this.#random.between(1, 50), giveUp);
  }

  #act(): void {
    const next = (): void => this.#later(this.#random.between(100, 2 * everyMs), () => this.#act());
    const { isIdle, role } = this.#parts;
    const [oldest] = this.#live;
    const one = oldest === undefined ? undefined : this.#random.pick(this.#live);
    const draw = this.#random.float();
    if (isIdle()) next();
    else if (one === undefined || (draw < 0.5 && this.#live.length < liveMax)) this.#place(next);
    else if (draw < 0.75) this.#cancel(one, next);
    else if (draw < 0.85) this.#replace(one, next);
    else if (draw < 0.88) this.#cancelAll(this.#random.pick(role.symbols), next);
    else if (draw < 0.9) this.#repeatOld(next);
    else this.#list(next);
  }

  #place(next: () => void): void {
    const form = this.#orderForm(this.#newName());
    if (form === undefined) next();
    else this.#placeAs(form, next);
  }

  #placeAs(form: Readonly<Record<string, string>>, next: () => void): void {
    const name = form['client_order_id'] ?? '';
    const { check, role } = this.#parts;
    this.#askUntilKnown({ method: 'POST', path: 'spot/order', form }, (answer) => {
      check.placed(role.name, form, answer);
      if (answer.status === 200 && isLive(answer)) this.#live.push(name);
      next();
    });
  }

  /** An id that was used is asked for again, as a careless program does. */
  #repeatOld(next: () => void): void {
    const old = `order-${String(this.#random.between(1, Math.max(1, this.#count))).padStart(6, '0')}`;
    const form = this.#orderForm(old);
    if (form === undefined) next();
    else this.#placeAs(form, next);
  }

  #replace(old: string, next: () => void): void {
    const { check, role } = this.#parts;
    const form = this.#orderForm(this.#newName());
    if (form === undefined) {
      next();
      return;
    }
    const { client_order_id: name = '', quantity = '', price = '' } = form;
    const change = { new_client_order_id: name, quantity, price };
    this.#askUntilKnown({ method: 'PATCH', path: `spot/order/${old}`, form: change }, (answer) => {
      if (answer.status === 200) {
        check.named(role.name, name, answer);
        this.#forget(old);
        if (isLive(answer)) this.#live.push(name);
        next();
      } else this.#find(old, next);
    });
  }

  #find(name: string, next: () => void): void {
    const { check, role } = this.#parts;
    this.#askUntilKnown({ method: 'GET', path: `spot/order/${name}` }, (answer) => {
      check.found(role.name, name, answer);
      next();
    });
  }

  #cancel(name: string, next: () => void): void {
    const { check, role } = this.#parts;
    this.#forget(name);
    this.#askUntilKnown({ method: 'DELETE', path: `spot/order/${name}` }, (answer) => {
      check.canceled(role.name, name, answer);
      next();
    });
  }

  #cancelAll(symbol: string, next: () => void): void {
    const { check, role } = this.#parts;
    this.#askUntilKnown({ method: 'DELETE', path: `spot/order?symbol=${symbol}` }, (answer) => {
      check.listed(role.name, answer, false);
      next();
    });
  }

  #list(next: () => void): void {
    const { check, role } = this.#parts;
    this.#askUntilKnown({ method: 'GET', path: 'spot/order' }, (answer) => {
      check.listed(role.name, answer, true);
      next();
    });
  }

  #newName(): string {
    this.#count += 1;
    return `order-${String(this.#count).padStart(6, '0')}`;
  }

  /** An order near the touch; as large as the share of the program leaves, now and then. */
  #orderForm(name: string): Readonly<Record<string, string>> | undefined {
    const { exchange, role } = this.#parts;
    const symbol = this.#random.pick(role.symbols);
    const { core } = exchange.world;
    const instrument: Instrument = core.instruments.get(symbol);
    const { book } = core.market(instrument.id);
    const [ask, bid] = [book.best('sell'), book.best('buy')];
    if (ask === undefined || bid === undefined) return undefined;
    const side = this.#random.chance(0.6) ? 'buy' : 'sell';
    const away = this.#random.between(-10, 300);
    const price = (side === 'buy' ? ask.price - away : bid.price + away) as Ticks;
    const quantity = this.#random.between(20, 400) as Lots;
    return {
      client_order_id: name,
      symbol,
      side,
      quantity: instrument.quantityText(quantity),
      price: instrument.priceText(price),
    };
  }

  #forget(name: string): void {
    const at = this.#live.indexOf(name);
    if (at >= 0) this.#live.splice(at, 1);
  }

  /** Asks again while what became of it is open, mostly; some give it up. */
  #askUntilKnown(request: ProgramRequest, then: (answer: HttpAnswer) => void): void {
    this.#ask(request, (answer) => {
      const isOpen = answer.status === 0 || answer.status === 503 || answer.status === 504;
      const isRepeated = isOpen || answer.status === 429;
      if (!isRepeated || (this.#random.chance(0.1) && request.method !== 'POST')) then(answer);
      else this.#later(this.#random.between(100, 2_000), () => this.#askUntilKnown(request, then));
    });
  }

  #ask(request: ProgramRequest, then: (answer: HttpAnswer) => void): void {
    const { role, gateway, check, touched } = this.#parts;
    let isOver = false;
    const end = (answer: HttpAnswer): void => {
      if (isOver) return;
      isOver = true;
      this.#giveUp = undefined;
      then(answer);
    };
    const silent = { status: 0, text: '' } as unknown as HttpAnswer;
    this.#giveUp = () => end(silent);
    this.#later(patienceMs, () => end(silent));
    const server = gateway();
    if (server === undefined) {
      this.#later(20, () => end(silent));
      return;
    }
    check.asks(role.name, request);
    touched();
    server.ask(role.name, request, (answer) => {
      // An answer that the process made before it died has left; what is promised after that never comes.
      if (gateway() === server) this.#later(1, () => end(answer));
    });
  }

  #later(ms: number, task: () => void): void {
    this.#parts.time.after(micros(ms * 1_000), () => {
      this.#parts.touched();
      task();
    });
  }
}

function isLive(answer: HttpAnswer): boolean {
  const { status } = JSON.parse(answer.text) as { readonly status?: string };
  return status === 'new' || status === 'partiallyFilled';
}
