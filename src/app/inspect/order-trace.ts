import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { NotFound } from '../../core/base/errors.ts';
import { reportedBalances } from '../../core/ledger/index.ts';
import type { Event, OperatorActed, OwnTrade, RunStarted } from '../../core/model/event.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import type { Intent } from '../../core/model/intent.ts';
import type { Balance } from '../../core/model/market.ts';
import type { Fill, OrderRequest } from '../../core/model/order.ts';
import { fillText, orderText } from '../../core/model/order-text.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { hasJournal } from '../../core/journal/index.ts';
import type { JournalSession } from '../run/journal-session.ts';
import { runDirectories } from '../operate/run-file.ts';

/** Something that happened to an order. */
export interface OrderStep {
  readonly time: Micros;
  readonly step: string;
  readonly text: string;
  /** Place in the journal; `undefined` of what only the recording holds. */
  readonly sequence: number | undefined;
}

/** A command that waited for its record: how many others of its run did so before it. */
export interface RaisingCommand {
  readonly run: string;
  readonly index: number;
  readonly time: Micros;
}

/** One order as the journal has it. */
export interface OrderTrace {
  readonly run: string;
  readonly mode: string;
  readonly strategy: string;
  /** `undefined` of an order of which nothing but a cancel is kept. */
  readonly request: OrderRequest | undefined;
  readonly instrument: Instrument | undefined;
  readonly state: string;
  /** When the strategy declared it, and what the account was then; `undefined` of an order of others. */
  readonly declared: Declared | undefined;
  readonly commands: readonly RaisingCommand[];
  readonly steps: readonly OrderStep[];
  readonly notes: readonly string[];
}

export interface Declared {
  readonly time: Micros;
  readonly mode: string;
  /** Of the two currencies of the instrument. */
  readonly balances: readonly Balance[];
  /** The kept event before it. */
  readonly after: string;
}

/** The journal that a command of a configuration means: of the newest run. Throws `NotFound` when there is none. */
export function journalDirectory(directory: string): string {
  const found = runDirectories(directory).find(hasJournal);
  if (found !== undefined) return found;
  throw new NotFound(`there is no journal in ${directory}: name the run directory by --journal`);
}

/** Reads what became of an order. Throws `NotFound` when the session does not name it; other errors as `readJournal`. */
export function traceOrder(session: JournalSession, id: string): OrderTrace {
  const trace = new Tracer(id, session.instruments);
  for (const stamped of session.records()) trace.observe(stamped, session.run);
  const { directory, notes } = session;
  const found = trace.result(notes);
  if (found !== undefined) return found;
  throw new NotFound([`there is no order "${id}" in the journal of ${directory}`, ...notes].join('; '));
}

/** Folds a journal into the story of one order. */
class Tracer {
  readonly #id: string;
  readonly #instruments: Instruments;
  readonly #steps: OrderStep[] = [];
  readonly #commands: RaisingCommand[] = [];
  readonly #balances = new Map<string, Balance>();
  readonly #booked = new Set<string>();
  #run: RunStarted | undefined;
  #own: { run: RunStarted | undefined; strategy: string } | undefined;
  #request: OrderRequest | undefined;
  #state = '';
  #declared: Declared | undefined;
  #tradingMode = 'active';
  #after = '';
  /** Commands of the run that waited for their record. */
  #waited = 0;

  constructor(id: string, instruments: Instruments) {
    this.#id = id;
    this.#instruments = instruments;
  }

  observe({ event, sequence }: StampedEvent, run: RunStarted | undefined): void {
    this.#run = run;
    this.#follow(event);
    const step = this.#stepOf(event);
    if (step !== undefined) this.#steps.push({ time: event.receiveTime, sequence, ...step });
    this.#after = event.kind;
  }

  result(notes: readonly string[]): OrderTrace | undefined {
    if (this.#steps.length === 0) return undefined;
    const instrument = this.#instrument();
    const { run, strategy } = this.#own ?? { run: this.#run, strategy: 'external' };
    return {
      run: run?.run ?? '',
      mode: run?.mode ?? '',
      strategy,
      request: this.#request,
      instrument,
      state: this.#state,
      declared: this.#declared,
      commands: this.#commands,
      steps: this.#steps,
      notes,
    };
  }

  #instrument(): Instrument | undefined {
    return this.#request === undefined ? undefined : this.#instruments.at(this.#request.instrument);
  }

  /** What is known beside the order: the run, the account, and how many commands wait for their record. */
  #follow(event: Event): void {
    switch (event.kind) {
      case 'runStarted':
        this.#waited = 0;
        return;
      case 'balances':
      case 'readAnswered': {
        const reported = reportedBalances(event);
        if (reported?.wallet === 'spot')
          for (const one of reported.balances) this.#balances.set(one.currency, one);
        return;
      }
      case 'modeChanged':
        this.#tradingMode = event.mode;
        return;
      case 'stateCarried':
        this.#tradingMode = event.state.mode.mode;
        for (const { balance } of event.state.balances) this.#balances.set(balance.currency, balance);
        return;
      case 'orderPending': {
        // Orders of a list wait for the last of them, and then for one record.
        const orders = event.command.request.list?.orders ?? [event.command.request.clientOrderId];
        if (orders.at(-1) === event.command.request.clientOrderId) this.#waits(orders, event.receiveTime);
        return;
      }
      case 'replacePending':
        this.#waits([event.command.newClientOrderId], event.receiveTime);
        return;
      case 'marginPending':
        this.#waits([], event.receiveTime);
        return;
      case 'orderDenied':
        if (event.denial.code === 'GATE_OVERFLOW') this.#waited -= 1;
    }
  }

  #waits(orders: readonly string[], time: Micros): void {
    if (orders.includes(this.#id))
      this.#commands.push({ run: this.#run?.run ?? '', index: this.#waited, time });
    this.#waited += 1;
  }

  #stepOf(event: Event): Pick<OrderStep, 'step' | 'text'> | undefined {
    switch (event.kind) {
      case 'intent':
        return this.#intended(event.intent, event.receiveTime);
      case 'orderPending': {
        const { command } = event;
        if (command.request.clientOrderId !== this.#id) return undefined;
        this.#owned(command.strategy);
        this.#request = command.request;
        this.#state = 'pending';
        return { step: 'accepted', text: 'the controls let it pass; the order is in the journal as pending' };
      }
      case 'replacePending':
        return this.#replaced(event.command);
      case 'cancelPending':
        if (event.command.clientOrderId !== this.#id) return undefined;
        return { step: 'cancel', text: `a cancel was accepted (strategy ${event.command.strategy})` };
      case 'orderDenied':
        return this.#denied(event);
      case 'orderReport':
      case 'readAnswered':
        return this.#reported(event);
      case 'commandSettled':
        if (event.clientOrderId !== this.#id) return undefined;
        return { step: 'answer', text: `the venue's answer in lane ${event.lane}: ${event.outcome}` };
      default:
        return this.#ended(event);
    }
  }

  #owned(strategy: string): void {
    this.#own ??= { run: this.#run, strategy };
  }

  #intended(intent: Intent, time: Micros): Pick<OrderStep, 'step' | 'text'> | undefined {
    const of = `strategy ${intent.strategy}`;
    switch (intent.action) {
      case 'place':
      case 'placeList': {
        const requests = intent.action === 'place' ? [intent.request] : intent.requests;
        const request = requests.find(({ clientOrderId }) => clientOrderId === this.#id);
        if (request === undefined) return undefined;
        this.#request = request;
        this.#declare(intent.strategy, time);
        const list = intent.action === 'place' ? '' : `, one of ${requests.length} (${intent.contingency})`;
        return { step: 'intent', text: `${of} wants ${this.#orderText(request)}${list}` };
      }
      case 'replace':
        if (intent.newClientOrderId === this.#id) {
          this.#declare(intent.strategy, time);
          return { step: 'intent', text: `${of} wants it in place of ${intent.clientOrderId}` };
        }
        if (intent.clientOrderId !== this.#id) return undefined;
        return { step: 'intent', text: `${of} wants ${intent.newClientOrderId} in its place` };
      case 'cancel':
        if (intent.clientOrderId !== this.#id) return undefined;
        return { step: 'intent', text: `${of} wants it canceled` };
      case 'cancelAll':
      case 'changeMargin':
        return undefined;
    }
  }

  #declare(strategy: string, time: Micros): void {
    this.#owned(strategy);
    const spec = this.#instrument()?.spec;
    const balances = [spec?.baseCurrency, spec?.quoteCurrency].flatMap((currency) => {
      const found = currency === undefined ? undefined : this.#balances.get(currency);
      return found === undefined ? [] : [found];
    });
    this.#declared = { time, mode: this.#tradingMode, balances, after: this.#after };
  }

  #replaced({
    clientOrderId,
    newClientOrderId,
    strategy,
  }: Extract<Event, { kind: 'replacePending' }>['command']): Pick<OrderStep, 'step' | 'text'> | undefined {
    if (newClientOrderId === this.#id) {
      this.#owned(strategy);
      this.#state = 'pending';
      return { step: 'accepted', text: `the controls let it pass in place of ${clientOrderId}` };
    }
    if (clientOrderId !== this.#id) return undefined;
    return { step: 'replace', text: `a replacement was accepted: ${newClientOrderId}` };
  }

  #denied(event: Extract<Event, { kind: 'orderDenied' }>): Pick<OrderStep, 'step' | 'text'> | undefined {
    const { clientOrderId, originalClientOrderId, denial, action, strategy } = event;
    if (clientOrderId !== this.#id && originalClientOrderId !== this.#id) return undefined;
    this.#owned(strategy);
    if (clientOrderId === this.#id && action !== 'cancel') this.#state = 'denied';
    return { step: 'denied', text: `${action} was denied, ${denial.code}: ${denial.why}` };
  }

  #reported(
    event: Extract<Event, { kind: 'orderReport' | 'readAnswered' }>,
  ): Pick<OrderStep, 'step' | 'text'> | undefined {
    if (event.kind === 'readAnswered') return this.#readAbout(event);
    const { order, fill, reportType } = event;
    if (order.clientOrderId !== this.#id) {
      if (order.originalClientOrderId !== this.#id) return undefined;
      this.#state = 'canceled';
      return { step: 'replaced', text: `the venue replaced it by ${order.clientOrderId}` };
    }
    this.#request ??= order;
    this.#state = order.state;
    if (fill !== undefined) {
      this.#booked.add(fill.tradeId);
      return { step: 'fill', text: this.#fillText(fill) };
    }
    const stamp = `stamped ${microText(event.exchangeTime)}`;
    return { step: 'report', text: `${reportType}, state ${order.state}, ${stamp}` };
  }

  /** What a read says of the order: a trade that no report brought, or what a question about this order was answered. */
  #readAbout(event: Extract<Event, { kind: 'readAnswered' }>): Pick<OrderStep, 'step' | 'text'> | undefined {
    const missed = event.fills.filter(
      (fill: OwnTrade) => fill.clientOrderId === this.#id && !this.#booked.has(fill.tradeId),
    );
    for (const { tradeId } of missed) this.#booked.add(tradeId);
    if (missed.length > 0) {
      const texts = missed.map((fill) => this.#fillText(fill));
      return { step: 'fill', text: `${texts.join('; ')} (from the trade history)` };
    }
    if (event.what.of !== 'orderHistory' || event.what.clientOrderId !== this.#id) return undefined;
    const found = event.orders.find(({ clientOrderId }) => clientOrderId === this.#id);
    if (found !== undefined) this.#state = found.state;
    return {
      step: 'read',
      text: `the venue was asked: ${found === undefined ? 'no such order' : found.state}`,
    };
  }

  #ended(event: Event): Pick<OrderStep, 'step' | 'text'> | undefined {
    switch (event.kind) {
      case 'orderRejected':
        if (event.clientOrderId !== this.#id) return undefined;
        this.#state = 'rejected';
        return { step: 'rejected', text: `the venue refused it, ${event.code}: ${event.why}` };
      case 'cancelRejected':
        if (event.clientOrderId !== this.#id) return undefined;
        return { step: 'cancel', text: `the venue refused the cancel, ${event.code}: ${event.why}` };
      case 'orderUnknown':
        if (event.clientOrderId !== this.#id) return undefined;
        this.#state = 'unknown';
        return { step: 'unknown', text: `no answer: ${event.why}` };
      case 'orderProvenAbsent':
        if (event.clientOrderId !== this.#id) return undefined;
        this.#state = 'absent';
        return { step: 'absent', text: 'two reads agree that the venue never had it' };
      case 'orderFoundAlive':
        if (event.clientOrderId !== this.#id) return undefined;
        this.#state = event.state;
        return { step: 'alive', text: `the venue lists it as ${event.state}` };
      case 'orderAssigned':
        if (event.clientOrderId !== this.#id) return undefined;
        return { step: 'assigned', text: `of ${event.strategy} from now on: ${event.why}` };
      case 'operatorActed':
        return this.#sentinelActed(event);
      case 'differenceFound':
        // Each further read of the same is no step of its own.
        if (event.difference.clientOrderId !== this.#id || event.difference.reads > 2) return undefined;
        return { step: 'difference', text: event.difference.cause };
      case 'executionCorrected': {
        const { trade, holds, why } = event.correction;
        if (trade.clientOrderId !== this.#id) return undefined;
        if (holds === undefined) this.#booked.delete(trade.tradeId);
        return { step: 'corrected', text: why };
      }
      default:
        return undefined;
    }
  }

  #sentinelActed({ act, why }: OperatorActed): Pick<OrderStep, 'step' | 'text'> | undefined {
    if (act.act !== 'sentinel') return undefined;
    const when = `at ${timeText(act.at)} because ${why}`;
    if (act.orders.some((id) => id === this.#id))
      return { step: 'sentinel', text: `the sentinel cancelled it ${when}` };
    if (!act.unresolved.some((id) => id === this.#id)) return undefined;
    return { step: 'sentinel', text: `the sentinel acted ${when}, and had not seen it gone` };
  }

  #orderText(request: OrderRequest): string {
    const instrument = this.#instrument();
    return instrument === undefined ? request.side : orderText(request, instrument);
  }

  #fillText(fill: Fill): string {
    const instrument = this.#instrument();
    return instrument === undefined ? `trade ${fill.tradeId}` : fillText(fill, instrument);
  }
}

/** A wall time to the microsecond. */
export function microText(time: number): string {
  const seconds = new Date(Math.floor(time / 1_000_000) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(time % 1_000_000).padStart(6, '0')}Z`;
}
