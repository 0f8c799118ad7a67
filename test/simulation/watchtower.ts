import { createHash } from 'node:crypto';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { isKept } from '../../src/core/journal/records/records.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import { AdmittedCheck } from './check-admitted.ts';
import { AccountCheck } from './check-accounts.ts';
import { AnswerCheck } from './check-answers.ts';
import { AskedCheck } from './check-asked.ts';
import { ClockCheck } from './check-clock.ts';
import { checkAudit } from './check-audit.ts';
import { BookTruth } from './check-books.ts';
import { replayDiffers } from './check-end.ts';
import { ChargeCheck } from './check-charges.ts';
import { LedgerCheck } from './check-ledger.ts';
import { NotifiedCheck } from './check-notified.ts';
import { LossCheck } from './check-losses.ts';
import { PositionCheck } from './check-positions.ts';
import { ReportCheck } from './check-reported.ts';
import { ReadCheck } from './check-reads.ts';
import { StateCheck } from './check-state.ts';
import { WireCheck } from './check-wire.ts';
import { ExchangeMoney } from './exchange-money.ts';
import { ExchangeOrders } from './exchange-orders.ts';
import { OrderWatches } from './order-watches.ts';
import { HeldWatch } from './held-watch.ts';
import { HaltWatch } from './halt-watch.ts';
import type { Role } from './cast.ts';
import type { SeedLimits } from './seed-limits.ts';
import type { SeedLosses } from './losses.ts';
import { FlattenCheck } from './check-flatten.ts';
import { FundsCheck } from './check-funds.ts';
import { OperatorCheck } from './check-operator.ts';
import { CarriedCheck } from './check-carried.ts';
import { DeniedCheck } from './check-denied.ts';
import { CapsCheck } from './check-caps.ts';
import type { Holdings } from './check-caps.ts';
import { SecretCheck } from './check-secrets.ts';
import { StrategyCheck } from './check-strategies.ts';
import { markProducts } from './mark-products.ts';
import type { Marks } from './marks.ts';
import type { SimDisk } from './sim-disk.ts';
import type { SimExchange } from './sim-exchange.ts';
import type { WireTap } from '../../src/app/virtual/sim-network.ts';
import type { Lies } from './reported-orders.ts';
import { UnknownCheck } from './unknown-check.ts';
import { UnreadCheck } from './check-unread.ts';
import { LiveBooks } from './live-books.ts';
import type { Road, Weather } from '../../src/app/virtual/weather.ts';

export interface WatchtowerParts {
  readonly time: VirtualClock;
  readonly marks: Marks;
  readonly breaches: Breaches;
  readonly instruments: Instruments;
  readonly exchange: SimExchange;
  readonly disk: SimDisk;
  readonly weather: () => Weather;
  /** Since when no fault has stood in the way of reads and cancels; `undefined`: one does. */
  readonly fairSince: () => number | undefined;
  /** A fault stood in the way just now. */
  readonly disturbed: () => void;
  /** Since when no byte can arrive on a connection of the trader any more. */
  readonly silentSince: (road: Road) => number | undefined;
  /** Whether the trader has an open connection on a road. */
  readonly isOpen: (road: Road) => boolean;
  /** Of the process that runs, if one does. */
  readonly view: () => StateView | undefined;
  readonly log: ((line: string) => void) | undefined;
  readonly elapsedMs: () => number;
  /** Milliseconds from the beginning to a time of the exchange's clock, as long as that is not set. */
  readonly elapsedAt: (time: number) => number;
  /** The limit of unknown orders. */
  readonly unknownOrdersMax: number;
  readonly losses: SeedLosses;
  readonly roles: readonly Role[];
  /** Every symbol that the first strategy follows. */
  readonly symbols: readonly string[];
  /** Wall time of the exchange. */
  readonly exchangeNow: () => number;
  /** Of the process that runs, if one does. */
  readonly holdings: () => Holdings | undefined;
  readonly limits: SeedLimits;
}

/** So long after its connection was closed a session may be called up at most. */
const closedMax = 1_000_000;
/** So long after a connection went silent its session may still be called up: ten seconds, and a margin. */
const silenceMax = 12_000_000;

/** Length of the text that is hashed in one call. */
const hashedAtOnce = 65_536;

/** Sees everything that crosses a road or a bus: hashes it, and has every check look at it. */
export class Watchtower implements WireTap {
  readonly books: BookTruth;
  readonly state: StateCheck;
  readonly wire: WireCheck;
  readonly halts: HaltWatch;
  readonly dues: OrderWatches;
  readonly reads: ReadCheck;
  readonly held: HeldWatch;
  readonly unknown: UnknownCheck;
  readonly unread: UnreadCheck;
  readonly live: LiveBooks;
  readonly charges: ChargeCheck;
  readonly losses: LossCheck;
  readonly money: ExchangeMoney;
  readonly accounts: AccountCheck;
  readonly ledger: LedgerCheck;
  readonly positions: PositionCheck;
  readonly reported: ReportCheck;
  readonly strategies: StrategyCheck;
  readonly operator: OperatorCheck;
  readonly flatten: FlattenCheck;
  readonly clocks: ClockCheck;
  readonly caps: CapsCheck;
  readonly carried: CarriedCheck;
  readonly denied: DeniedCheck;
  readonly funds: FundsCheck;
  readonly notified: NotifiedCheck;
  readonly secrets: SecretCheck;
  readonly admitted: AdmittedCheck;
  readonly answers: AnswerCheck;
  readonly asked: AskedCheck;
  /** Orders that somebody placed by hand and that nothing tells of: what they executed is a difference of positions. */
  readonly hidden = new Set<string>();
  /** Orders that no read shows for a while, and until when, true time. */
  readonly withheld = new Map<string, number>();
  readonly lies: Lies;
  /** The next message about an own order cannot be read: once it arrives, trading must halt. */
  garbled = false;
  /** The exchange was asked to answer 429 whatever the budget says. */
  limitedOnPurpose = false;
  /** Called with the frame of an order as it leaves, and with the kind of every event: for faults that wait for a moment. */
  readonly orderHooks = new Set<(text: string) => void>();
  readonly eventHooks = new Set<(kind: Event['kind']) => void>();
  events = 0;
  readonly #parts: WatchtowerParts;
  readonly #hash = createHash('sha256');
  /** Since when the trading session is called up without a connection. */
  #believedSince: number | undefined;
  /** Text that is still to be hashed: one call for many lines. */
  #unhashed = '';
  #startedAt = 0;
  #lastKept = 0;

  constructor(parts: WatchtowerParts) {
    const { time, breaches, marks, instruments, exchange, disk, view, weather, fairSince } = parts;
    const { exchangeNow, limits } = parts;
    this.#parts = parts;
    this.books = new BookTruth(breaches, instruments);
    this.money = new ExchangeMoney(exchange, parts.elapsedMs);
    const { money } = this;
    this.lies = { invented: exchange.invented, factors: new Set() };
    this.reported = new ReportCheck({
      breaches,
      truth: new ExchangeOrders(exchange),
      money,
      lies: this.lies,
    });
    this.state = new StateCheck({
      time,
      breaches,
      marks,
      instruments,
      sentAt: (id) => this.wire.sentAt(id),
      existed: (id) => exchange.has(id),
      executed: money.trades,
      lies: this.lies,
    });
    const { books, state } = this;
    // A faulty one says of no symbol that it is priced from another.
    const symbolsOf = (strategy: string): readonly string[] =>
      parts.roles.find(({ name, faulty }) => name === strategy && faulty === undefined)?.symbols ?? [];
    const wired = { time, breaches, instruments, disk, exchange, state, books, view, symbolsOf };
    this.wire = new WireCheck({ ...wired, seedLimits: limits });
    this.admitted = new AdmittedCheck({
      time,
      breaches,
      instruments,
      state,
      limits,
      exchangeNow,
      lies: this.lies,
    });
    this.clocks = new ClockCheck({
      breaches,
      exchangeNow,
      fairSince,
      latestAnswerMs: () => weather().latestAnswerMs,
    });
    const { wire } = this;
    this.halts = new HaltWatch({ time, breaches, marks, wire, view, weather });
    const { halts } = this;
    const { roles, symbols, elapsedMs, elapsedAt } = parts;
    this.flatten = new FlattenCheck({ time, breaches, marks });
    this.operator = new OperatorCheck({ time, breaches, marks, state, halts, roles });
    this.answers = new AnswerCheck(breaches);
    const isOpen = (): boolean => parts.isOpen('market');
    this.asked = new AskedCheck({ time, breaches, instruments, symbols, isOpen });
    this.caps = new CapsCheck({ time, breaches, instruments, holdings: parts.holdings });
    this.carried = new CarriedCheck(breaches, instruments);
    this.notified = new NotifiedCheck(time, breaches);
    this.denied = new DeniedCheck({ breaches, instruments, exchange, exchangeNow });
    const isSpotAlone = exchange.accounts.length === 1;
    this.funds = new FundsCheck({ time, breaches, marks, instruments, isSpotAlone });
    this.secrets = new SecretCheck(breaches, exchange.key);
    this.strategies = new StrategyCheck({ time, breaches, marks, instruments, halts, roles, symbols, view });
    const { withheld } = this;
    this.dues = new OrderWatches({ time, breaches, wire, exchange, view, fairSince, withheld });
    this.held = new HeldWatch({ time, breaches, marks, view, limits });
    this.reads = new ReadCheck(time, breaches);
    this.charges = new ChargeCheck({
      money,
      hidden: this.hidden,
      breaches,
      marks,
      instruments,
      state,
      elapsedMs,
      elapsedAt,
    });
    this.accounts = new AccountCheck({ time, breaches, money });
    const { charges, accounts } = this;
    this.ledger = new LedgerCheck({
      breaches,
      instruments,
      money,
      state,
      charges,
      accounts,
      hidden: this.hidden,
    });
    this.positions = new PositionCheck({ time, breaches, marks, instruments, money, state, fairSince, view });
    this.unknown = new UnknownCheck({ time, breaches, halts: this.halts, max: parts.unknownOrdersMax });
    this.unread = new UnreadCheck({ time, breaches, view });
    this.live = new LiveBooks({ time, breaches, instruments, exchange, books, view, fairSince, weather });
    this.losses = new LossCheck({
      time,
      breaches,
      marks,
      instruments,
      state,
      halts: this.halts,
      losses: parts.losses,
      isFree: isSpotAlone,
      sentAt: (id) => wire.sentAt(id),
    });
  }

  /** The hash over everything so far. */
  digest(): string {
    return this.#hash.copy().update(this.#unhashed).digest('hex');
  }

  /** A new process begins with what the disk holds; `mayClear`: the operator has it clear halts. */
  restart(history: readonly StampedEvent[], mayClear: boolean): void {
    this.#startedAt = this.#parts.time.now();
    this.state.restart(history);
    this.wire.restart();
    this.reported.restart(history);
    this.clocks.restart();
    this.admitted.restart();
    this.funds.restart();
    this.carried.restart();
    this.notified.connects();
    this.reads.restart();
    this.dues.restart();
    this.unknown.restart();
    this.unread.restart();
    this.charges.restart(history);
    this.accounts.restart(history);
    this.ledger.restart();
    this.positions.restart();
    this.losses.restart(history, mayClear);
    this.strategies.restart();
    this.operator.restart(history, mayClear);
    this.flatten.restart();
  }

  afterStep(): void {
    const { exchange, time, view: viewOf } = this.#parts;
    this.books.look(exchange, time.now());
    const view = viewOf();
    if (view !== undefined) {
      this.books.afterStep(view);
      this.live.afterStep(view);
      this.asked.afterStep(view);
      this.reported.afterStep();
      this.state.afterStep(view);
      this.dues.afterStep(view);
      this.charges.afterStep();
      this.ledger.afterStep(view);
      this.losses.afterStep(view);
      this.strategies.afterStep(view);
      this.flatten.afterStep(view);
      this.caps.afterStep(view);
      this.carried.afterStep(view);
      this.notified.afterStep(view);
    }
    this.positions.afterStep();
    this.halts.afterStep();
    this.unread.afterStep();
    this.answers.afterStep(view);
    this.#checkSilence(view);
  }

  /** I11: what the disk holds rebuilds what the trader knows, once everything it knows is durable; and an audit of it finds nothing. */
  checkReplay(): void {
    const { disk, breaches, instruments, exchange, view: viewOf } = this.#parts;
    const view = viewOf();
    if (view === undefined) return;
    const events = disk.events();
    if (events.at(-1)?.sequence !== this.#lastKept) return;
    const why = replayDiffers(instruments, events, view);
    if (why !== undefined) breaches.add('I11', why);
    if (!disk.isChained()) breaches.add('I11', 'the chain of the journal is broken');
    const { money, hidden } = this;
    const { notedFees } = this.state.orders;
    checkAudit(
      events.map(({ event }) => event),
      { exchange, instruments, money, breaches, hidden, notedFees, untold: this.charges.untold(view) },
    );
  }

  /** An event of the trader, after its step. */
  watch(stamped: StampedEvent): void {
    const { time, view: viewOf, log, elapsedMs } = this.#parts;
    const view = viewOf();
    this.events += 1;
    const { event, sequence } = stamped;
    this.#note(`${time.now()} ${sequence} ${event.kind}\n`);
    if (isKept(event)) this.#lastKept = sequence;
    log?.(`${elapsedMs()} event ${eventText(event)}`);
    if (view !== undefined) this.state.after(stamped, view);
    this.wire.after(event);
    this.answers.after(event);
    if (view === undefined) return;
    this.reported.after(event, view);
    this.clocks.after(event, view);
    this.admitted.after(event, view);
    this.books.after(event, view);
    this.halts.after(event, view);
    this.dues.after(event, view);
    this.held.after(event, view);
    this.reads.after(event, view);
    this.unknown.after(event);
    this.unread.after(event);
    this.charges.after(event, view);
    this.accounts.after(event, view);
    this.ledger.after(event, view);
    this.positions.after(event, view);
    this.losses.after(event, view);
    this.strategies.after(event, view);
    this.operator.after(event, view);
    this.flatten.after(event);
    this.caps.after(event);
    this.carried.after(event);
    this.notified.after(event);
    this.denied.after(event, view);
    this.funds.after(event, view);
    markProducts(event, this.#parts.marks, this.#parts.instruments);
    for (const hook of this.eventHooks) hook(event.kind);
  }

  sent(road: Road, text: string): void {
    const { time, log, elapsedMs } = this.#parts;
    this.#note(`${time.now()} > ${road} ${text}\n`);
    log?.(`${elapsedMs()} > ${road} ${text}`);
    this.secrets.sent(text);
    if (road === 'trading') {
      const ids = this.wire.frame(text);
      this.answers.sent(text, ids);
      for (const id of ids) {
        this.dues.sent(id);
        this.losses.sent(id);
        this.clocks.sent(id);
      }
      if (ids.length > 0) {
        this.unread.sent(ids);
        this.operator.sent(ids, this.#parts.view());
        for (const hook of this.orderHooks) hook(text);
      }
    }
    if (road === 'market') this.asked.sent(text);
    if (road === 'rest') {
      this.wire.request(text);
      this.notified.request(text);
      this.dues.request(text);
    }
  }

  arrives(road: Road, text: string, request?: string): void {
    const { time, log, elapsedMs, disturbed } = this.#parts;
    this.#note(`${time.now()} < ${road} ${text}\n`);
    log?.(`${elapsedMs()} < ${road} ${text.slice(0, 400)}`);
    this.answers.arrives(road, text, request);
    if (road === 'market') {
      this.books.arrives(text, time.now());
      this.asked.arrives(text);
    }
    if (road === 'trading') {
      this.reported.arrives(text);
      this.notified.arrives(text);
    }
    if (request !== undefined) this.dues.answered(request, text);
    if (road === 'rest' && /^(429|5\d\d) /.test(text)) disturbed();
    this.#checkLimits(road, text);
    if (this.garbled && text.includes('"quantitee"')) {
      this.garbled = false;
      this.unread.arrives();
    }
  }

  #note(line: string): void {
    this.#unhashed += line;
    if (this.#unhashed.length < hashedAtOnce) return;
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }

  /** I9: a connection that is closed is known to be, and one that has been silent for ten seconds is known to be lost. */
  #checkSilence(view: StateView | undefined): void {
    const { time, breaches, silentSince, isOpen } = this.#parts;
    const since = silentSince('trading');
    const isBelieved = view?.sessionUp('trading') === true;
    if (!isBelieved || isOpen('trading')) this.#believedSince = undefined;
    else if (time.now() - (this.#believedSince ??= time.now()) > closedMax)
      breaches.add('I9', 'the trading session is called up, and its connection was closed a second ago');
    if (since === undefined || time.now() - since < silenceMax || view?.sessionUp('trading') !== true) return;
    breaches.add(
      'I9',
      `the trading session is called up, ${(time.now() - since) / 1_000} ms after it went silent`,
    );
  }

  /** I14: a budget that is kept is never refused; what an earlier process spent is not known to the next. */
  #checkLimits(road: Road, text: string): void {
    const limited = road === 'rest' ? text.startsWith('429 ') : text.includes('"error":{"code":429,');
    const { time, breaches } = this.#parts;
    if (!limited || this.limitedOnPurpose || time.now() - this.#startedAt < 2_000_000) return;
    breaches.add('I14', `a request on ${road} was refused for its rate`);
  }

  connects(road: Road): void {
    const { time, marks } = this.#parts;
    this.#note(`${time.now()} + ${road}\n`);
    if (road === 'market') {
      this.books.connects();
      this.asked.connects();
    } else if (road === 'trading') {
      this.answers.connects();
      this.wire.connects();
      this.notified.connects();
    }
    marks.hit(`branch/${road} connected`);
  }
}

function eventText(event: Event): string {
  if (!isKept(event)) return event.kind;
  return JSON.stringify(event, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  ).slice(0, 500);
}
