import type { Clock, Micros } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';
import type { Event, OrderDenied } from '../core/model/event.ts';
import { evidenceHaltOf } from '../core/model/evidence-halt.ts';
import { isDeniedExit } from '../core/orders/controls/exits.ts';
import { haltText, safeStateText } from '../core/state/safe-states.ts';
import type { OperatedRun } from './run.ts';
import { viewNews } from './views/all.ts';

/** Kinds of news that an operator may want to be sent. */
export const newsKinds = [
  'started',
  'stopped',
  'halted',
  'limit',
  'strategy',
  'outage',
  'unknown',
  'margin',
  'fill',
  'summary',
  'drift',
  'difference',
] as const;
export type NewsKind = (typeof newsKinds)[number];

/** All but fills: a market maker has thousands. */
export const defaultNews = newsKinds.filter((kind) => kind !== 'fill');

/** Kinds that are kept until they have arrived, over a restart too: it says that trading stopped, or that money is at risk. */
export const keptNews: ReadonlySet<NewsKind> = new Set(['halted', 'limit', 'margin', 'difference']);

export interface News {
  readonly kind: NewsKind;
  readonly text: string;
}

/** Denied exits of one strategy and code within this time are one. */
const exitsApart = seconds(600);
/** An outage that is over sooner is no news. */
const outageMin = seconds(10);

/**
 * Turns events of a run into news. An outage is sent once it has lasted ten seconds, and again when it is over; everything else at once.
 */
export class NewsWatch {
  readonly #run: OperatedRun;
  readonly #clock: Clock;
  readonly #publish: (news: News) => void;
  /** Sessions that are down: since when, and whether it was sent. */
  readonly #down = new Map<string, { readonly cancel: () => void; sent: boolean }>();
  readonly #called = new Set<string>();
  #saidHalt: string | undefined;
  /** When a denied exit was sent, by strategy and code. */
  readonly #exits = new Map<string, Micros>();

  constructor(run: OperatedRun, publish: (news: News) => void) {
    this.#run = run;
    this.#clock = run.clock;
    this.#publish = publish;
  }

  observe(event: Event): void {
    switch (event.kind) {
      case 'modeChanged':
        if (evidenceHaltOf(event)?.begins === true) this.#waits(haltText(event));
        else if (event.latched) this.#say('halted', haltText(event));
        else if (event.mode === 'active') this.#say('halted', `trading goes on: ${event.why}`);
        if (evidenceHaltOf(event)?.begins !== true) this.#saidHalt = undefined;
        return;
      case 'lossLimitReached':
        this.#say('limit', event.latch.why);
        return;
      case 'lossLimitCleared':
        this.#say('limit', `the limit (${event.limit}, ${event.currency}) is cleared: ${event.why}`);
        return;
      case 'strategyStopped':
        if (event.why !== 'unloaded')
          this.#say('strategy', `strategy ${event.strategy} was stopped: ${event.why}`);
        return;
      case 'sessionDown':
        this.#began(`the ${event.session} session`, event.session);
        return;
      case 'sessionUp':
        this.#ended(`the ${event.session} session`);
        return;
      case 'bookStale':
        this.#began(`the book of ${this.#symbol(event.instrument)}`, this.#symbol(event.instrument));
        return;
      case 'bookSnapshot':
        this.#ended(`the book of ${this.#symbol(event.instrument)}`);
        return;
      case 'orderDenied':
        this.#denied(event);
        return;
      case 'instrumentChanged': {
        const symbol = this.#symbol(event.instrument);
        if (event.status === 'working') this.#ended(symbol);
        else this.#began(symbol, symbol);
        return;
      }
      case 'orderUnknown':
        this.#say('unknown', `order ${event.clientOrderId} is unknown: ${event.why}`);
        return;
      case 'marginAccount':
        this.#margin(event);
        return;
      case 'orderReport':
      case 'readAnswered':
        this.#fills(event);
        return;
      default: {
        const text = viewNews(event);
        if (text !== undefined) this.#say('difference', text);
      }
    }
  }

  /** A row that stays unreadable is read again and again: it is told once. */
  #waits(text: string): void {
    if (this.#saidHalt !== text) this.#say('halted', text);
    this.#saidHalt = text;
  }

  close(): void {
    for (const { cancel } of this.#down.values()) cancel();
    this.#down.clear();
  }

  /** An exit that is denied is asked for again and again: it is news once for its code and its strategy in ten minutes. */
  #denied(event: OrderDenied): void {
    if (!isDeniedExit(event, this.#run.trader.view)) return;
    const { strategy, denial, receiveTime } = event;
    const key = `${strategy} ${denial.code}`;
    const before = this.#exits.get(key);
    if (before !== undefined && receiveTime - before < exitsApart) return;
    this.#exits.set(key, receiveTime);
    this.#say('strategy', `strategy ${strategy} cannot close a position, ${denial.code}: ${denial.why}`);
  }

  #margin({ account, reason, product }: Extract<Event, { kind: 'marginAccount' }>): void {
    const name = account.instrument === undefined ? account.currency : this.#symbol(account.instrument);
    const key = `${product} ${account.mode} ${name}`;
    if (reason === 'liquidated')
      this.#say('margin', `a position of the ${account.mode} account of ${name} was liquidated`);
    if (account.called === this.#called.has(key)) return;
    if (account.called) this.#called.add(key);
    else this.#called.delete(key);
    this.#say(
      'margin',
      `${account.called ? 'a margin call stands' : 'the margin call is over'}: ${account.mode} account of ${name}`,
    );
  }

  #fills(event: Event): void {
    const { view, instruments } = this.#run.trader;
    for (const { instrument, side, quantity, price } of view.tradesOf(event)) {
      const of = instruments.at(instrument);
      this.#say('fill', `${of.symbol} ${side} ${of.quantityText(quantity)} at ${of.priceText(price)}`);
    }
  }

  /** `subject`: of the safe state that holds, whose words are sent. */
  #began(what: string, subject: string): void {
    if (this.#down.has(what)) return;
    const outage = {
      sent: false,
      cancel: this.#clock.after(outageMin as Micros, () => {
        const held = this.#run.trader.safeStates.find(
          (state) => state.subject === subject && state.kind !== 'feedRefused',
        );
        if (held === undefined) return;
        outage.sent = true;
        this.#say('outage', safeStateText(held));
      }),
    };
    this.#down.set(what, outage);
  }

  #ended(what: string): void {
    const outage = this.#down.get(what);
    if (outage === undefined) return;
    this.#down.delete(what);
    outage.cancel();
    if (outage.sent) this.#say('outage', `${what} is up again`);
  }

  #symbol(instrument: Parameters<OperatedRun['trader']['instruments']['at']>[0]): string {
    return this.#run.trader.instruments.at(instrument).symbol;
  }

  #say(kind: NewsKind, text: string): void {
    this.#publish({ kind, text });
  }
}
