import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { InstrumentId, Instruments } from '../../src/core/model/instrument.ts';
import { ownerOf } from '../../src/core/model/client-order-id.ts';
import { isOperatorOrder } from '../../src/core/model/operator.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { Role } from './cast.ts';
import { workloadName } from './cast.ts';
import type { FaultyHand } from './faulty.ts';
import { faultyName } from './faulty.ts';
import type { HaltWatch } from './halt-watch.ts';
import { mayStay } from './halt-watch.ts';
import type { Marks } from './marks.ts';
import { Seen, bookToken, tradeToken } from './seen.ts';

export interface StrategyCheckParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly instruments: Instruments;
  readonly halts: HaltWatch;
  readonly roles: readonly Role[];
  /** Every symbol that the first strategy follows. */
  readonly symbols: readonly string[];
  /** Of the process that runs, if one does. */
  readonly view: () => StateView | undefined;
}

/** So long after the end of a strategy it acts by what it kept. */
const zombieAfter = [1, 300_000, 2_000_000] as const;

/**
 * Strategies beside one another: each sees every event of its symbols once and in order, and its own executions, whatever another
 * does (I13, I20). One that breaks its contract is stopped in that step (I20), and nothing that it asks for afterwards counts (I7).
 */
export class StrategyCheck {
  readonly #parts: StrategyCheckParts;
  readonly #seen = new Map<string, Seen>();
  /** Instruments that each strategy follows. */
  readonly #follows = new Map<string, ReadonlySet<InstrumentId>>();
  /** Executions on spot that each strategy must have been shown, by strategy and instrument: booked before it began, and since. */
  readonly #booked = new Map<string, number>();
  /** The number of the last order that each strategy asked for. */
  readonly #asked = new Map<string, number>();
  readonly #ended = new Set<string>();
  #misdeed = false;
  #isFilled = false;
  #process: unknown;
  readonly hand: FaultyHand;

  constructor(parts: StrategyCheckParts) {
    this.#parts = parts;
    const { roles, instruments, symbols, marks } = parts;
    for (const role of roles) {
      const own = role.name === workloadName ? symbols : role.symbols;
      this.#follows.set(role.name, new Set(own.map((symbol) => instruments.get(symbol).id)));
    }
    const kind = roles.find(({ faulty }) => faulty !== undefined)?.faulty;
    this.hand = {
      idle: false,
      zombie: undefined,
      onMisdeed: () => (this.#misdeed = true),
      mark: () => marks.hit(`branch/strategy ${kind}`),
    };
    if (roles.length > 1) marks.hit('branch/several strategies');
  }

  /** A new process begins: what its strategies will be shown, by name. */
  restart(): void {
    this.#seen.clear();
    this.#asked.clear();
    this.#ended.clear();
    this.#booked.clear();
    this.#misdeed = false;
    this.hand.zombie = undefined;
    for (const { name } of this.#parts.roles) this.#seen.set(name, new Seen(name));
  }

  /** What a strategy of the present process is shown. */
  of(strategy: string): Seen {
    const seen = this.#seen.get(strategy) ?? new Seen(strategy);
    this.#seen.set(strategy, seen);
    return seen;
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (event.kind === 'intent') this.#checkIntent(event.intent);
    if (event.kind === 'strategyStopped') this.#stopped(event.strategy, view);
    if (event.kind === 'strategyStarted') {
      this.#ended.delete(event.strategy);
      this.#asked.delete(event.strategy);
    }
    for (const seen of this.#seen.values()) {
      const isDue = seen.running && !seen.begins;
      if (isDue || seen.market.length > 0) this.#checkMarket(seen, event, { view, isDue });
      if (seen.begins || event.kind === 'executionCorrected') this.#rebase(seen, view);
      else if (mayFill(event)) this.#isFilled = true;
      seen.begins = false;
    }
  }

  /** A step is over: a strategy that broke its contract in it has ended. */
  afterStep(view: StateView): void {
    if (this.#isFilled) {
      this.#isFilled = false;
      for (const seen of this.#seen.values()) this.#checkFills(seen, view);
    }
    if (!this.#misdeed) return;
    this.#misdeed = false;
    if (view.stopped(faultyName) === undefined)
      this.#parts.breaches.add('I20', 'a strategy broke its contract, and was not stopped');
  }

  #checkMarket(
    seen: Seen,
    event: Event,
    { view, isDue }: { readonly view: StateView; readonly isDue: boolean },
  ): void {
    const { market, strategy } = seen;
    const shown = market.splice(0);
    const wanted = isDue ? this.#wanted(strategy, event, view) : nothing;
    // One that broke its contract is shown nothing more from there.
    const isWhole = shown.length === wanted.length || (strategy === faultyName && this.#misdeed);
    if (isWhole && shown.every((token, at) => token === wanted[at])) return;
    const texts = [shown, wanted].map((tokens) => tokens.join(', ') || 'nothing');
    this.#parts.breaches.add('I20', `strategy ${strategy} was shown ${texts[0]}, expected ${texts[1]}`);
  }

  #wanted(strategy: string, event: Event, view: StateView): readonly string[] {
    if (event.kind !== 'bookUpdate' && event.kind !== 'bookSnapshot' && event.kind !== 'trades')
      return nothing;
    const { instrument } = event;
    if (this.#follows.get(strategy)?.has(instrument) !== true) return nothing;
    if (event.kind !== 'trades') return [bookToken(instrument, view.book(instrument).sequence)];
    return event.snapshot ? nothing : event.trades.map(({ tradeId }) => tradeToken(instrument, tradeId));
  }

  #rebase(seen: Seen, view: StateView): void {
    seen.fills.length = 0;
    for (const { id } of this.#parts.instruments.all)
      this.#booked.set(`${seen.strategy} ${id}`, view.position(id, seen.strategy, 'spot').fillCount);
  }

  /** Each execution on spot was shown once, to the strategy whose order it was. */
  #checkFills(seen: Seen, view: StateView): void {
    const { breaches } = this.#parts;
    const { strategy, fills } = seen;
    for (const { instrument, of, account } of fills.splice(0)) {
      if (of !== strategy) breaches.add('I20', `strategy ${strategy} was shown an execution of ${of}`);
      if (account !== 'spot') continue;
      const key = `${strategy} ${instrument}`;
      this.#booked.set(key, (this.#booked.get(key) ?? 0) + 1);
    }
    if (!seen.running) return;
    for (const id of this.#follows.get(strategy) ?? []) {
      const [shown, booked] = [
        this.#booked.get(`${strategy} ${id}`) ?? 0,
        view.position(id, strategy, 'spot').fillCount,
      ];
      if (shown !== booked)
        breaches.add(
          'I20',
          `${booked} executions of ${strategy} are booked on instrument ${id}, and it was shown ${shown}`,
        );
    }
  }

  /** What a strategy asks for comes in the order in which it asked, and nothing after its end. */
  #checkIntent(intent: Extract<Event, { kind: 'intent' }>['intent']): void {
    const { breaches } = this.#parts;
    const { strategy } = intent;
    const ids =
      intent.action === 'place'
        ? [intent.request.clientOrderId]
        : intent.action === 'replace'
          ? [intent.newClientOrderId]
          : intent.action === 'placeList'
            ? intent.requests.map(({ clientOrderId }) => clientOrderId)
            : [];
    // Orders by which the operator closes positions have a maker of their own, also where the strategy has ended.
    if (ids.length > 0 && ids.every(isOperatorOrder)) return;
    if (this.#ended.has(strategy))
      breaches.add('I7', `strategy ${strategy} had ended, and its ${intent.action} counts`);
    for (const id of ids) {
      const number = ownerOf(id)?.counter ?? 0;
      if (number <= (this.#asked.get(strategy) ?? 0))
        breaches.add('I13', `order ${id} was asked for before the one that came before it`);
      this.#asked.set(strategy, number);
    }
  }

  #stopped(strategy: string, view: StateView): void {
    const { halts, time, marks } = this.#parts;
    this.#ended.add(strategy);
    const seen = this.#seen.get(strategy);
    if (seen !== undefined) seen.running = false;
    halts.expectCancels(
      view
        .openOrders(strategy)
        .filter(({ state }) => state === 'new' || state === 'partiallyFilled')
        .filter((order) => !mayStay(order, view))
        .map(({ clientOrderId }) => clientOrderId),
    );
    if (strategy !== faultyName) return;
    const { zombie } = this.hand;
    this.#process = view;
    for (const after of zombieAfter)
      time.after(after as never, () => {
        if (zombie === undefined || this.#parts.view() !== this.#process) return;
        marks.hit('branch/strategy acted after its end');
        zombie();
      });
  }
}

const nothing: readonly string[] = [];

function mayFill(event: Event): boolean {
  return event.kind === 'orderReport'
    ? event.fill !== undefined
    : event.kind === 'readAnswered' && event.fills.length > 0;
}
