import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import { Recent } from '../../core/base/recent.ts';
import type { Denial } from '../../core/model/denial.ts';
import type { Event, MarginAccountChanged } from '../../core/model/event.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import { isTerminal } from '../../core/model/order-life.ts';
import type { ClientOrderId, Fill, Order } from '../../core/model/order.ts';
import type { Product } from '../../core/model/product.ts';
import type { StateView } from '../../core/state/index.ts';
import type { ProgramHost, ProgramListener } from '../../core/strategy/framework.ts';
import { Refusal, refuse } from '../../exchange/base/index.ts';
import type { Config } from '../config/schema.ts';
import { notServed } from './denials.ts';
import { isOrderOf, ProgramOrders } from './program-orders.ts';
import { ProgramMargin } from './program-margin.ts';
import { Silence } from './silence.ts';
import type { OrderAnswer, VenueKnownOrder } from './waits.ts';
import { isAtVenue, Waits } from './waits.ts';

/** Receives reports on the orders of one program, and that balances have changed. */
export interface ReportReader {
  /** `fill`: the execution that the report is of. */
  readonly report?: (order: VenueKnownOrder, fill: Fill | undefined) => void;
  /** Balances of a wallet of the account have changed. */
  readonly balances?: (wallet: 'spot' | 'futures') => void;
  /** A margin account has changed, of whatever product and symbol. */
  readonly account?: (event: MarginAccountChanged) => void;
}

/** A read that waits for the end of an order. */
export interface OrderWait {
  /** The longest it waits, in milliseconds. */
  readonly ms: number;
  /** Has a task run when the caller disconnects. */
  readonly onGone: (task: () => void) => Cancel;
}

export interface ProgramDeskDeps {
  readonly program: string;
  readonly clock: Clock;
  /** Milliseconds after which a request without an answer is answered with 504. */
  readonly answerMs: number;
  /** Fate of the orders once the program is gone. */
  readonly onSilence: Config['programs'][number]['onSilence'];
}

/** Orders of which the executions are remembered, at least. */
const fillsLeast = 5_000;
/** Reads of a program that wait at once; one more is answered without waiting. */
const orderWaitsMax = 1_000;

/**
 * One program at the daemon: turns what it asks for into intents, and what the run says of them into one answer each. An answer comes
 * when the venue has answered; without one the program gets 504, and what became of the order follows as a report.
 */
export class ProgramDesk implements ProgramListener {
  readonly program: string;
  /** Requests of the program about its orders. */
  readonly orders: ProgramOrders;
  /** Margin accounts of the program. */
  readonly margin: ProgramMargin;
  readonly #waits: Waits;
  readonly #clock: Clock;
  #waiting = 0;
  readonly #fills = new Recent<ClientOrderId, Fill[]>(fillsLeast);
  readonly #readers = new Set<ReportReader>();
  /** State and executed quantity of each order as it was reported last. */
  readonly #reported = new Recent<ClientOrderId, string>(fillsLeast);
  /** Orders of which a replacement was reported. */
  readonly #replaced = new Recent<ClientOrderId, true>(fillsLeast);
  #host: ProgramHost | undefined;
  #began = false;
  /** Whether the program is there; not looked at where its orders are kept. */
  readonly silence: Silence | undefined;

  constructor(setup: ProgramDeskDeps) {
    this.program = setup.program;
    const { clock, answerMs, onSilence } = setup;
    this.#clock = clock;
    this.#waits = new Waits({ clock, answerMs });
    this.orders = new ProgramOrders({
      program: this.program,
      waits: this.#waits,
      running: (product) => this.#running(product),
    });
    this.margin = new ProgramMargin({
      program: this.program,
      clock,
      answerMs,
      orders: this.orders,
      reading: (product) => this.#reading(product),
      running: (product) => this.#running(product),
    });
    if (onSilence === 'keep') return;
    const onSilent = (why: string): void => this.#cancelSilent(why);
    this.silence = new Silence({ clock, afterMs: onSilence.cancelAfterMs, onSilent });
  }

  /** Serves the program by that host from now on: the run begins, or the program was started anew. */
  open(host: ProgramHost): void {
    this.#host = host;
    this.#began = false;
    host.listener = this;
  }

  /** The state of the run, once the account has been compared with the venue; else why not. */
  get state(): StateView | Refusal {
    const host = this.#host;
    return host?.compared === true ? host.state : starting();
  }

  /** The state for what belongs to a product: only programs that trade it see it. */
  stateOf(product: Product): StateView | Refusal {
    const host = this.#reading(product);
    return host instanceof Refusal ? host : host.state;
  }

  /** Money of the program in a currency, where it has a share of the balance. */
  funds(currency: string): ReturnType<ProgramHost['funds']> {
    return this.#host?.funds(currency);
  }

  watch(reader: ReportReader): Cancel {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  /** Orders that live at the venue. 504 while it is not known of one whether it does: its absence from a list would be read as proof. */
  active(product: Product, instrument: Instrument | undefined): readonly VenueKnownOrder[] | Refusal {
    const state = this.stateOf(product);
    if (state instanceof Refusal) return state;
    const open = state
      .openOrders(this.program, instrument?.id)
      .filter((order) => isOrderOf(state, product, order));
    const unknown = open.find((order) => order.state === 'unknown');
    return unknown === undefined ? open.filter(isAtVenue) : unknownOrder(unknown);
  }

  /** Orders of which it is known that they live. */
  live(product: Product, state: StateView): readonly VenueKnownOrder[] {
    return state
      .openOrders(this.program)
      .filter(isAtVenue)
      .filter((order) => isOrderOf(state, product, order));
  }

  /** One order that lives at the venue, by the id of the program. */
  activeOrder(product: Product, name: string): OrderAnswer {
    const state = this.stateOf(product);
    if (state instanceof Refusal) return state;
    const order = this.orders.find(state, product, name);
    if (order?.state === 'unknown' || order?.state === 'pending') return unknownOrder(order);
    return order !== undefined && isAtVenue(order) && !isTerminal(order.state) ? order : refuse(20_002);
  }

  /**
   * The spot order that had that id last, ended or not, once it has ended, `ms` have passed, or the caller is gone.
   * Source: v2-gaps, section 1 (`wait`).
   */
  async orderOnceEnded(name: string, wait: OrderWait): Promise<OrderAnswer> {
    const state = this.stateOf('spot');
    if (state instanceof Refusal) return state;
    const order = this.orders.find(state, 'spot', name);
    if (order === undefined) return refuse(20_002);
    const { clientOrderId } = order;
    if (!isTerminal(order.state)) await this.#untilEnded(clientOrderId, wait);
    const last = state.order(clientOrderId);
    if (last?.state === 'unknown' || last?.state === 'pending') return unknownOrder(last);
    return last !== undefined && isAtVenue(last) ? last : refuse(20_002);
  }

  /** Executions of an order that this process has seen, oldest first. */
  fills(id: ClientOrderId): readonly Fill[] {
    return this.#fills.get(id) ?? [];
  }

  /** Whether an id at the venue is one of this program, of this run or of an earlier one. */
  owns(id: string): boolean {
    return this.#host?.owns(id) === true;
  }

  order(order: Order, denial: Denial | undefined): void {
    // A cancel that was asked for changes the order here, and not at the venue.
    const isNews = this.#reported.get(order.clientOrderId) !== shownOf(order);
    if (denial === undefined && isAtVenue(order) && isNews) this.#report(order, undefined);
    this.#waits.evaluate(order.clientOrderId, this.state);
  }

  fill(fill: Fill, order: Order): void {
    const fills = this.#fills.get(order.clientOrderId);
    if (fills === undefined) this.#fills.set(order.clientOrderId, [fill]);
    else fills.push(fill);
    if (isAtVenue(order)) this.#report(order, fill);
  }

  event(event: Event): void {
    if (!this.#began && this.#host?.running === true) {
      this.#began = true;
      this.silence?.beginRun();
    }
    switch (event.kind) {
      case 'orderPending':
        return this.#waits.sent('place', event.command.request.clientOrderId, event.command.commandId);
      case 'replacePending':
        return this.#waits.sent('replace', event.command.newClientOrderId, event.command.commandId);
      case 'cancelPending':
        return this.#waits.sent('cancel', event.command.clientOrderId, event.command.commandId);
      case 'orderDenied':
        if (event.strategy === this.program) this.#waits.denied(event);
        return;
      case 'cancelRejected':
        return this.#waits.cancelRejected(event.clientOrderId, event.code, event.why);
      case 'commandSettled':
        this.#waits.settled(event, this.state);
        return this.margin.event(event);
      case 'marginPending':
      case 'marginDenied':
      case 'marginRejected':
        return this.margin.event(event);
      case 'marginAccount':
        this.margin.event(event);
        for (const reader of this.#readers) reader.account?.(event);
        return;
      case 'balances':
        return this.#balancesChanged(event.wallet);
      case 'readAnswered':
        if (event.balances.length > 0)
          this.#balancesChanged(event.what.of === 'balances' ? event.what.product : undefined);
        return;
      case 'strategyStopped':
        // An exit that waited until it may leave does so no more.
        if (event.strategy === this.program) this.#waits.evaluateAll(this.state);
        return;
      case 'orderUnknown':
      case 'orderRejected':
        return this.#waits.evaluate(event.clientOrderId, this.state);
      default:
    }
  }

  #untilEnded(id: ClientOrderId, { ms, onGone }: OrderWait): Promise<void> {
    if (ms === 0 || this.#waiting >= orderWaitsMax) return Promise.resolve();
    this.#waiting += 1;
    return new Promise((resolve) => {
      const done = (): void => {
        cancelTimer();
        cancelGone();
        unwatch();
        this.#waiting -= 1;
        resolve();
      };
      const unwatch = this.watch({
        report: ({ clientOrderId, originalClientOrderId, state }) => {
          if ((clientOrderId === id && isTerminal(state)) || originalClientOrderId === id) done();
        },
      });
      const cancelTimer = this.#clock.after(millis(ms), done);
      const cancelGone = onGone(done);
    });
  }

  #report(order: VenueKnownOrder, fill: Fill | undefined): void {
    this.#reported.set(order.clientOrderId, shownOf(order));
    if (order.originalClientOrderId !== undefined) this.#replaced.set(order.originalClientOrderId, true);
    // A replacement ends the order that it replaces without a report of its own.
    if (order.state === 'canceled' && this.#replaced.has(order.clientOrderId)) return;
    for (const reader of this.#readers) reader.report?.(order, fill);
  }

  #balancesChanged(wallet: 'spot' | 'futures' = 'spot'): void {
    for (const reader of this.#readers) reader.balances?.(wallet);
  }

  /** Cancels what a program has left that is gone. */
  #cancelSilent(why: string): void {
    const host = this.#host;
    if (host?.running !== true || host.state.openCountBy(this.program) === 0) return;
    // Silence may be noted within a step of the run: what is asked for then waits until it is over.
    host.cancelAll(`${why}: its orders are cancelled (programs.onSilence)`);
  }

  #reading(product: Product): ProgramHost | Refusal {
    const host = this.#host;
    if (host?.compared !== true) return starting();
    if (host.products.includes(product)) return host;
    return notServed(`The program ${this.program} does not trade ${product} (programs.products)`);
  }

  #running(product: Product): ProgramHost | Refusal {
    const host = this.#reading(product);
    if (host instanceof Refusal || host.running) return host;
    const stopped = host.state.stoppedOrEnding(this.program) ?? 'the run has ended';
    return notServed(`STRATEGY_STOPPED: the program ${this.program} was stopped: ${stopped}`);
  }
}

/** Refusal before the account has been compared with the venue: what the journal says of it may have changed since. */
function starting(): Refusal {
  return refuse(503, { description: 'The daemon is starting, and compares the account with the venue' });
}

function unknownOrder({ alias, clientOrderId }: Order): Refusal {
  const description = `The result of ${alias ?? clientOrderId} is unknown, check it later`;
  return refuse(504, { description });
}

function shownOf({ state, cumulative }: Order): string {
  return `${state} ${cumulative}`;
}
