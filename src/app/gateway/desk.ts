import type { Cancel, Clock } from '../../core/base/clock.ts';
import { Recent } from '../../core/base/recent.ts';
import type { Denial } from '../../core/model/denial.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import { isTerminal } from '../../core/model/order-life.ts';
import type { ClientOrderId, Fill, Order } from '../../core/model/order.ts';
import type { StateView } from '../../core/state/index.ts';
import type { ProgramHost, ProgramListener } from '../../core/strategy/framework.ts';
import { Refusal, refuse, symbolNotFound } from '../../exchange/base/index.ts';
import type { OrderParams, ReplaceParams } from '../../venues/hitbtc/wire/resources/index.ts';
import { toOrderRequest, toReplacement } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Config } from '../config/schema.ts';
import { notServed } from './denials.ts';
import { Silence } from './silence.ts';
import type { OrderAnswer, OrderRequestKind, VenueKnownOrder } from './waits.ts';
import { isAtVenue, Waits } from './waits.ts';

/** Receives reports on the orders of one program, and that balances have changed. */
export interface ReportReader {
  /** `fill`: the execution that the report is of. */
  readonly report?: (order: VenueKnownOrder, fill: Fill | undefined) => void;
  /** Balances of the account have changed. */
  readonly balances?: () => void;
}

export interface ProgramDeskDeps {
  readonly program: string;
  readonly clock: Clock;
  /** Milliseconds after which a request without an answer is answered with 504. */
  readonly answerMs: number;
  /** Fate of the orders once the program is gone. */
  readonly onSilence: Config['programs'][number]['onSilence'];
}

/** Ids without a verdict that are remembered, at least; an intent of more is forgotten by the run, too. */
const askedLeast = 10_000;
/** Orders of which the executions are remembered, at least. */
const fillsLeast = 5_000;

/**
 * One program at the daemon: turns what it asks for into intents, and what the run says of them into one answer each. An answer comes
 * when the venue has answered; without one the program gets 504, and what became of the order follows as a report.
 */
export class ProgramDesk implements ProgramListener {
  readonly program: string;
  readonly #waits: Waits;
  /** Our id for an id of the program, from before the run has a verdict on it. */
  readonly #asked = new Recent<string, ClientOrderId>(askedLeast);
  readonly #fills = new Recent<ClientOrderId, Fill[]>(fillsLeast);
  readonly #readers = new Set<ReportReader>();
  /** Execution that was reported last, with the order as it then was. */
  #reported: Order | undefined;
  #host: ProgramHost | undefined;
  #began = false;
  /** Whether the program is there; not looked at where its orders are kept. */
  readonly silence: Silence | undefined;

  constructor(setup: ProgramDeskDeps) {
    this.program = setup.program;
    const { clock, answerMs, onSilence } = setup;
    this.#waits = new Waits({ clock, answerMs });
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

  /** Money of the program in a currency, where it has a share of the balance. */
  funds(currency: string): ReturnType<ProgramHost['funds']> {
    return this.#host?.funds(currency);
  }

  watch(reader: ReportReader): Cancel {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  /** Asks for an order. A second one with an id of the program that is in use is refused, whatever became of the first. */
  async place(params: OrderParams): Promise<OrderAnswer> {
    const host = this.#running();
    if (host instanceof Refusal) return host;
    const instrument = this.instrument(host.state, params.symbol);
    if (instrument instanceof Refusal) return instrument;
    const { clientOrderId: alias, takeMarkup, makeMarkup } = params;
    if (alias !== undefined && this.#isTaken(host, alias)) return refuse(20_008);
    const id = host.nextId();
    const request = toOrderRequest(params, instrument, id);
    if (!request.ok) return new Refusal(request.error);
    const rates = {
      ...(takeMarkup !== undefined && { takeRate: takeMarkup }),
      ...(makeMarkup !== undefined && { makeRate: makeMarkup }),
    };
    return this.#ask('place', id, alias, () =>
      host.place({ ...request.value, ...rates, ...(alias !== undefined && { alias }) }),
    );
  }

  async replace(params: ReplaceParams): Promise<OrderAnswer> {
    const host = this.#running();
    if (host instanceof Refusal) return host;
    const order = this.find(host.state, params.clientOrderId);
    if (order === undefined || isTerminal(order.state)) return refuse(20_002);
    const alias = params.newClientOrderId;
    if (alias !== undefined && this.#isTaken(host, alias)) return refuse(20_008);
    const instrument = host.state.instruments.at(order.instrument);
    const change = toReplacement(params, instrument, order.type);
    if (!change.ok) return new Refusal(change.error);
    const id = host.nextId();
    const { stopPrice = order.stopPrice, ...rest } = change.value;
    return this.#ask('replace', id, alias, () =>
      host.replace({
        clientOrderId: order.clientOrderId,
        newClientOrderId: id,
        ...rest,
        stopPrice,
        ...(alias !== undefined && { alias }),
      }),
    );
  }

  async cancel(name: string): Promise<OrderAnswer> {
    const host = this.#running();
    if (host instanceof Refusal) return host;
    const order = this.find(host.state, name);
    if (order === undefined || isTerminal(order.state)) return refuse(20_002);
    return this.#cancel(host, order);
  }

  /** Asks for the cancel of every order, or of those of one symbol. Answers those that were canceled; 504 where one has no answer. */
  async cancelAll(instrument: Instrument | undefined): Promise<readonly VenueKnownOrder[] | Refusal> {
    const host = this.#running();
    if (host instanceof Refusal) return host;
    const open = host.state.openOrders(this.program, instrument?.id);
    const answers = await Promise.all(open.map((order) => this.#cancel(host, order)));
    const silent = answers.find((answer) => answer instanceof Refusal && answer.error.code === 504);
    if (silent instanceof Refusal) return silent;
    return answers.flatMap((answer) => (answer instanceof Refusal ? [] : [answer]));
  }

  /** Orders that live at the venue. 504 while it is not known of one whether it does: its absence from a list would be read as proof. */
  active(instrument: Instrument | undefined): readonly VenueKnownOrder[] | Refusal {
    const { state } = this;
    if (state instanceof Refusal) return state;
    const open = state.openOrders(this.program, instrument?.id);
    const unknown = open.find((order) => order.state === 'unknown');
    return unknown === undefined ? open.filter(isAtVenue) : unknownOrder(unknown);
  }

  /** Orders of which it is known that they live. */
  live(state: StateView): readonly VenueKnownOrder[] {
    return state.openOrders(this.program).filter(isAtVenue);
  }

  /** One order that lives at the venue, by the id of the program. */
  activeOrder(name: string): OrderAnswer {
    const { state } = this;
    if (state instanceof Refusal) return state;
    const order = this.find(state, name);
    if (order?.state === 'unknown' || order?.state === 'pending') return unknownOrder(order);
    return order !== undefined && isAtVenue(order) && !isTerminal(order.state) ? order : refuse(20_002);
  }

  /** Executions of an order that this process has seen, oldest first. */
  fills(id: ClientOrderId): readonly Fill[] {
    return this.#fills.get(id) ?? [];
  }

  /** The order that the program knows by that name: its own id, or ours where it gave none. */
  find(state: StateView, name: string): Order | undefined {
    const named = state.orderNamed(this.program, name);
    if (named !== undefined) return named;
    const order = state.order(name as ClientOrderId);
    return order?.strategy === this.program && order.alias === undefined ? order : undefined;
  }

  /** Whether an id at the venue is one of this program, of this run or of an earlier one. */
  owns(id: string): boolean {
    return this.#host?.owns(id) === true;
  }

  instrument(state: StateView, symbol: string): Instrument | Refusal {
    return state.instruments.find(symbol) ?? symbolNotFound(symbol);
  }

  order(order: Order, denial: Denial | undefined): void {
    if (denial === undefined && isAtVenue(order) && !isSame(order, this.#reported))
      for (const reader of this.#readers) reader.report?.(order, undefined);
    this.#waits.evaluate(order.clientOrderId, this.state);
  }

  fill(fill: Fill, order: Order): void {
    const fills = this.#fills.get(order.clientOrderId);
    if (fills === undefined) this.#fills.set(order.clientOrderId, [fill]);
    else fills.push(fill);
    this.#reported = order;
    if (isAtVenue(order)) for (const reader of this.#readers) reader.report?.(order, fill);
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
        return this.#waits.settled(event, this.state);
      case 'balances':
      case 'readAnswered':
        if (event.kind === 'readAnswered' ? event.balances.length > 0 : event.wallet === undefined)
          for (const reader of this.#readers) reader.balances?.();
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

  /** Cancels what a program has left that is gone. */
  #cancelSilent(why: string): void {
    const host = this.#host;
    if (host?.running !== true || host.state.openCountBy(this.program) === 0) return;
    // Silence may be noted within a step of the run: what is asked for then waits until it is over.
    host.cancelAll(`${why}: its orders are cancelled (programs.onSilence)`);
  }

  #running(): ProgramHost | Refusal {
    const host = this.#host;
    if (host?.compared !== true) return starting();
    if (host.running) return host;
    const stopped = host.state.stoppedOrEnding(this.program) ?? 'the run has ended';
    return notServed(`STRATEGY_STOPPED: the program ${this.program} was stopped: ${stopped}`);
  }

  #cancel(host: ProgramHost, { clientOrderId }: Order): Promise<OrderAnswer> {
    return this.#ask('cancel', clientOrderId, undefined, () => host.cancel(clientOrderId));
  }

  /** Whether an order of that id may have left; one that was refused leaves its id free, as at the venue. */
  #isTaken(host: ProgramHost, alias: string): boolean {
    const asked = this.#asked.get(alias);
    // An exit may wait until it may leave, and has no verdict until then.
    if (asked !== undefined && host.state.inFlight.find(asked) !== undefined) return true;
    const order = this.find(host.state, alias);
    if (order === undefined || order.state === 'denied') return false;
    // An order that two reads did not find may land late all the same: it was sent.
    return order.state !== 'rejected' || order.code === 'ABSENT';
  }

  #ask(asked: OrderRequestKind, id: ClientOrderId, alias: string | undefined, ask: () => void): Promise<OrderAnswer> {
    const answer = this.#waits.open(asked, id);
    if (alias !== undefined) this.#asked.set(alias, id);
    ask();
    return answer;
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

function isSame(order: Order, other: Order | undefined): boolean {
  return (
    order.clientOrderId === other?.clientOrderId &&
    order.state === other.state &&
    order.cumulative === other.cumulative
  );
}
