import { z } from 'zod';
import { defineStrategy } from '../../src/core/strategy/define.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { add, zero } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { ExchangeCommand } from '../../src/exchange/matching/accounts/command.ts';
import type { ReportOutcome } from '../../src/exchange/matching/accounts/outcome.ts';
import type { OperatorAct } from '../../src/core/model/operator.ts';
import { ModeStore } from '../../src/core/state/index.ts';
import { sinceCarried } from '../../src/core/trader/index.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import { beginning } from '../../src/app/virtual/scene.ts';
import { Breaches } from './breaches.ts';
import type { Role } from './cast.ts';
import { castOf, workloadName } from './cast.ts';
import { ProgramCheck } from './check-programs.ts';
import type { WalletMoney } from './check-charges.ts';
import { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import { faultyStrategy } from './faulty.ts';
import type { SeedLosses } from './losses.ts';
import { lossesOf } from './losses.ts';
import { ProgramClient } from './program-client.ts';
import type { ProgramRole } from './program-roles.ts';
import { programsOf } from './program-roles.ts';
import { SimGateway } from './sim-gateway.ts';
import { drillOf, limitsOfSeed, readingOf } from './seed-limits.ts';
import { Marks } from './marks.ts';
import { PartyClock } from '../../src/app/virtual/party-clock.ts';
import type { DiskImage } from './sim-disk.ts';
import { SimDisk } from './sim-disk.ts';
import { SimExchange } from './sim-exchange.ts';
import type { DiskWeather } from './sim-journal.ts';
import { SimJournal } from './sim-journal.ts';
import { SimNetwork } from '../../src/app/virtual/sim-network.ts';
import { Seen } from './seen.ts';
import { SimShadow } from './sim-shadow.ts';
import type { SimStrategy, TraderHooks } from './sim-trader.ts';
import { SimTrader } from './sim-trader.ts';
import type { Traded } from './traded.ts';
import { symbolsOf, tradedOf } from './traded.ts';
import { Watchtower } from './watchtower.ts';
import { workload } from './workload.ts';
import type { WorkloadSwitch } from './workload.ts';

export interface SystemParts {
  readonly seed: number;
  readonly hooks: TraderHooks;
  /** With a shadow beside the live strategies, or without; as the seed has it when left out. */
  readonly shadow?: boolean | undefined;
  /** Keeps every frame as text, for whoever wants to read on. */
  readonly log?: ((line: string) => void) | undefined;
}

/** An exchange, roads, a disk, and one trader's process after the other. */
export class SimulatedSystem {
  readonly time = new VirtualClock(micros(beginning));
  readonly marks = new Marks();
  readonly breaches = new Breaches(() => this.elapsedMs);
  readonly exchangeClock: PartyClock;
  readonly exchange: SimExchange;
  readonly network: SimNetwork;
  readonly disk = new SimDisk();
  readonly diskWeather: DiskWeather = { syncMin: 200, syncMean: 800 };
  readonly hand: WorkloadSwitch = { idle: false, careless: false, odd: false, greedy: false, pace: 0.6 };
  readonly instruments: Instruments;
  readonly tower: Watchtower;
  readonly opening: Map<string, Amount>;
  /** All there was of each currency in the beginning. */
  readonly totals: Map<string, Amount>;
  /** What ends the faults that last. */
  readonly endings = new Set<() => void>();
  readonly seed: number;
  readonly traded: Traded;
  readonly roles: readonly Role[];
  /** Programs of others that trade through a gateway. */
  readonly programs: readonly ProgramRole[];
  readonly programCheck: ProgramCheck;
  /** When a sequence was last made to begin anew. */
  resetAtMs = -10_000;
  /** Own orders the exchange accepted. */
  accepted = 0;
  /** When the account last changed at the exchange. */
  changedAtMs = 0;
  readonly #parts: SystemParts;
  readonly #unknownOrdersMax: number;
  readonly #losses: SeedLosses;
  readonly #carryEvery: number;
  readonly #socketsCount: 'connections' | 'messages';
  readonly #random: CounterRandom;
  /** The parameters that each strategy has now. */
  readonly #params = new Map<string, SimStrategy['params']>();
  /** Whether a shadow runs beside the live strategies, and the clock of its part of the process. */
  readonly #hasShadow: boolean;
  #shadowClock: PartyClock | undefined;
  readonly #clients: readonly ProgramClient[];
  /** Of the process that runs. */
  #gateway: SimGateway | undefined;
  shadow: SimShadow | undefined;
  /** Wall-clock error of the next process of the trader. */
  readonly clockError: { offset: number; rate: number };
  trader: SimTrader | undefined;
  journal: SimJournal | undefined;
  #clock: PartyClock | undefined;
  #processes = 0;
  #touched = false;
  #disturbedTo = 0;

  constructor(parts: SystemParts) {
    const { seed } = parts;
    this.#parts = parts;
    this.seed = seed;
    this.traded = tradedOf(seed);
    this.roles = castOf(seed);
    this.programs = programsOf(seed);
    if (this.traded.api === 'v2') this.marks.hit('branch/market data of version 2');
    this.#losses = lossesOf(seed);
    this.#hasShadow = parts.shadow ?? new CounterRandom(seed, 'shadow').chance(0.06);
    this.#random = new CounterRandom(seed, 'house');
    const { socketsCount, isPoor, unknownOrdersMax, carryEvery, clock } = readingOf(seed);
    this.#socketsCount = socketsCount;
    this.#unknownOrdersMax = unknownOrdersMax;
    this.#carryEvery = carryEvery;
    this.clockError = { ...clock };
    this.exchangeClock = new PartyClock(this.time, { offset: 0, rate: 1 });
    this.exchange = new SimExchange({
      clock: this.exchangeClock,
      seed,
      socketsCount,
      isPoor,
      hasSpare: drillOf(seed) === 'asked',
      traded: this.traded,
      closeSockets: (code, reason) => this.network.closedByExchange(code, reason),
    });
    this.instruments = this.exchange.instruments();
    this.tower = new Watchtower({
      time: this.time,
      marks: this.marks,
      breaches: this.breaches,
      instruments: this.instruments,
      exchange: this.exchange,
      disk: this.disk,
      weather: () => this.network.weather,
      fairSince: () => (this.#disturbedTo < this.time.now() ? this.#disturbedTo : undefined),
      disturbed: () => this.disturb(6_000),
      silentSince: (road) => this.network.silentSince(road),
      isOpen: (road) => this.network.isOpen(road),
      view: () => this.trader?.trader.view,
      log: parts.log,
      elapsedMs: () => this.elapsedMs,
      elapsedAt: (time) => (time - beginning) / 1_000,
      unknownOrdersMax: this.#unknownOrdersMax,
      losses: this.#losses,
      roles: this.roles,
      symbols: symbolsOf(this.traded),
      exchangeNow: () => this.exchange.faults.clock.now(),
      holdings: () =>
        this.trader && {
          trader: this.trader.trader,
          timers: this.#clock?.pending ?? 0,
          ...this.network.held,
        },
      limits: limitsOfSeed(seed),
    });
    const { exchange, breaches, marks } = this;
    this.programCheck = new ProgramCheck({ breaches, marks, exchange, roles: this.programs });
    this.disk.onRecord = (text) => this.tower.secrets.record(text);
    this.network = new SimNetwork({
      time: this.time,
      seed,
      exchange: () => this.exchange,
      exchangeClock: this.exchangeClock,
      tap: {
        sent: (road, text) => this.tower.sent(road, text),
        connects: (road) => this.tower.connects(road),
        arrives: (road, text, request) => {
          this.programCheck.arrives(text);
          this.tower.arrives(road, text, request);
        },
      },
      touched: () => this.touch(),
      mark: (name) => this.marks.hit(name),
    });
    this.opening = new Map(
      this.exchange.world.core.exchange
        .balances(this.exchange.account)
        .map(({ currency, available, reserved }) => [currency, (available + reserved) as Amount]),
    );
    this.totals = new Map(this.exchange.totals());
    const isOurs = ({ account }: Pick<ReportOutcome, 'account'>): boolean => {
      const ours = this.exchange.accounts.includes(account);
      if (ours) this.changedAtMs = this.elapsedMs;
      return ours;
    };
    this.exchange.world.core.listen({
      onReport: (report) => {
        if (report.fill !== undefined) this.programCheck.executed(report.order, report.fill);
        if (!isOurs(report) || (report.reportType !== 'new' && report.reportType !== 'replaced')) return;
        if (report.order.clientOrderId.startsWith('gw-')) this.accepted += 1;
        this.programCheck.accepted(report.order);
      },
      onBalance: (balance) => void isOurs(balance),
      onMargin: (outcome) => void isOurs(outcome),
      onSettled() {},
    });
    this.exchange.start();
    this.#clients = this.programs.map(
      (role) =>
        new ProgramClient({
          role,
          seed,
          time: this.time,
          exchange,
          gateway: () => this.#gateway,
          check: this.programCheck,
          touched: () => this.touch(),
          isIdle: () => this.hand.idle,
        }),
    );
  }

  /** Since the beginning, true time. */
  get elapsedMs(): number {
    return Math.floor((this.time.now() - beginning) / 1_000);
  }

  /** A fault stands in the way of reads and cancels for so long. */
  disturb(ms: number): void {
    this.#disturbedTo = Math.max(this.#disturbedTo, this.time.now() + ms * 1_000);
  }

  /** Promises of the trader may wait to be run. */
  touch(): void {
    this.#touched = true;
  }

  /** A process of the trader starts with what the disk holds. */
  start(clearHalt = false): void {
    const { seed, hooks } = this.#parts;
    const acknowledged = this.disk.tail;
    const image: DiskImage = this.disk.crash(this.#random);
    if ((image.all.at(-1)?.sequence ?? 0) < acknowledged)
      this.breaches.add('I11', `record ${acknowledged} was acknowledged, and a restart does not find it`);
    if (image.history.length < image.all.length) this.marks.hit('branch/restart from a carried state');
    if (image.cut !== undefined) this.marks.hit('branch/journal cut');
    this.#processes += 1;
    this.#clock = new PartyClock(this.time, { ...this.clockError }, () => this.touch());
    this.journal = new SimJournal({
      clock: this.#clock,
      disk: this.disk,
      random: new CounterRandom(seed, `disk/${this.#processes}`),
      weather: this.diskWeather,
    });
    this.tower.restart(image.all, clearHalt);
    const gateway = this.programs.length === 0 ? undefined : new SimGateway(this.#clock, this.programs);
    this.#gateway = gateway;
    this.trader = new SimTrader({
      clock: this.#clock,
      seed,
      instruments: this.instruments,
      network: this.network.asClient(),
      credentials: this.exchange.key,
      journal: this.journal,
      history: image.history,
      strategies: [
        ...this.roles.map((role) => this.#strategy(role, image.history)),
        ...this.programs.map((role) => programStrategy(role, gateway)),
      ],
      socketsCount: this.#socketsCount,
      unknownOrdersMax: this.#unknownOrdersMax,
      losses: this.#losses,
      api: this.traded.api,
      carryEvery: this.#carryEvery,
      hooks,
      clearHalt,
      log: this.tower.secrets.logger(),
      watch: (stamped) => {
        // The bus keeps what a subscriber throws from the others: a check that fails by itself is a breach, too.
        try {
          this.programCheck.watch(stamped.event);
          this.tower.watch(stamped);
        } catch (error) {
          this.breaches.add('throw', error instanceof Error ? (error.stack ?? error.message) : String(error));
        }
      },
    });
    if (this.#hasShadow) this.#startShadow(this.trader);
    this.trader.start();
    if (isLatched(image.all) && !clearHalt) {
      this.marks.hit('branch/halt outlived a restart');
      if (this.trader.trader.view.mode !== 'halted')
        this.breaches.add('I7', 'a latched halt was forgotten over a restart');
    }
    this.touch();
  }

  /** The same strategy as the first one, on the simulated venue: it changes nothing of what the live ones do. */
  #startShadow({ trader: live }: SimTrader): void {
    const { seed, instruments, hand, traded, marks } = this;
    const seen = new Seen(workloadName);
    const spot = {
      ...traded,
      margin: false,
      futures: false,
      lists: false,
      crossMargin: false,
      secondContract: false,
    };
    const role: Role = { name: workloadName, tag: 'shad', symbols: ['ETHUSDT', 'BTCUSDT'], share: 1 };
    const begins = (): void => marks.hit('branch/shadow began');
    const definition = workload({ role, traded: spot, everyMs: 700, hand, seen, begins });
    this.#shadowClock = new PartyClock(this.time, { ...this.clockError });
    const onBehind = (): void => this.breaches.add('I20', 'the shadow fell behind');
    const clock = this.#shadowClock;
    this.shadow = new SimShadow({ clock, live, instruments, definition, seed, onBehind });
  }

  /** A strategy as a new process has it: with the parameters that the operator gave it last, as the daemon finds them. */
  #strategy(role: Role, history: readonly StampedEvent[]): SimStrategy {
    const kept = new ModeStore();
    for (const { event } of sinceCarried(history)) {
      if (event.kind === 'stateCarried') kept.takeMode(event.state.mode);
      else if (event.kind === 'operatorActed') kept.applyOperator(event);
    }
    const given = kept.changedParams(role.name)?.params ?? '{}';
    const params = JSON.parse(given) as SimStrategy['params'];
    this.#params.set(role.name, params);
    const begins = (begun: unknown): void => this.tower.operator.begins(role.name, begun);
    const { traded, hand, tower } = this;
    const { name, tag, symbols, faulty: kind } = role;
    const seen = tower.strategies.of(name);
    const definition =
      kind === undefined
        ? workload({ role, traded, everyMs: 700, hand, seen, begins })
        : faultyStrategy({ kind, symbols, hand: tower.strategies.hand, seen, begins });
    return { definition, tag, params };
  }

  /** What the seed must have shown by its end. */
  markShadow(): void {
    if ((this.shadow?.trader?.view.positions() ?? []).some(({ fillCount }) => fillCount > 0))
      this.marks.hit('branch/shadow traded');
  }

  /** The process dies where it stands. Returns whether there was one. */
  crash(): boolean {
    if (this.trader === undefined) return false;
    this.#clock?.kill();
    this.#shadowClock?.kill();
    this.markShadow();
    this.shadow = undefined;
    this.network.abandon();
    this.trader = undefined;
    this.#gateway = undefined;
    for (const client of this.#clients) client.cut();
    this.journal?.abandon();
    this.journal = undefined;
    this.marks.hit('branch/process died');
    return true;
  }

  /** Money came into the account, or left it: that is as if it had been so in the beginning. */
  moved(money: WalletMoney): void {
    const { currency, amount } = money;
    for (const sums of [this.opening, this.totals])
      sums.set(currency, add(sums.get(currency) ?? zero, amount));
    this.tower.charges.moved(money);
  }

  /** The operator asks for something. Nothing happens while no process runs. `params`: what a strategy begins anew with. */
  act(act: OperatorAct, params?: SimStrategy['params']): void {
    const { trader, tower } = this;
    if (trader === undefined) return;
    this.touch();
    if (act.act === 'clear') tower.losses.mayClear = true;
    tower.operator.asks(act, trader.trader.view);
    trader.act(act, params);
  }

  /** He lets a strategy that stands still begin anew. */
  startStrategy(strategy: string): void {
    if (this.trader?.trader.view.stoppedOrEnding(strategy) === undefined) return;
    this.act({ act: 'startStrategy', strategy }, this.#params.get(strategy));
  }

  /** He gives a strategy other parameters; it begins anew with them at once where it runs. Returns whether he could. */
  setParams(strategy: string, params: SimStrategy['params']): boolean {
    const { trader } = this;
    if (trader === undefined) return false;
    const runs = trader.trader.view.stoppedOrEnding(strategy) === undefined;
    this.#params.set(strategy, params);
    const act = { act: 'setParams', strategy, params: JSON.stringify(params), configured: '{}' } as const;
    this.act(act, runs ? params : undefined);
    return true;
  }

  /** He has the configuration read again, with these limits. Returns whether he could. */
  reload(limits: Parameters<SimTrader['limitsWith']>[0]): boolean {
    const { trader } = this;
    if (trader === undefined) return false;
    this.act({ act: 'reload', changed: 'limits', limits: trader.limitsWith(limits) });
    return true;
  }

  /** Somebody acts at the exchange itself. */
  command(command: ExchangeCommand): void {
    this.exchange.world.core.handle(command);
  }

  /** The operator sees to it that a trader runs, and clears what latched. */
  operator(): void {
    const view = this.trader?.trader.view;
    if (view === undefined) {
      this.start(true);
      this.#letGo();
      return;
    }
    this.#letGo();
    if (view.mode !== 'halted' && view.stopped(workloadName) === undefined) {
      if (view.losses.latches.length === 0) return;
      this.tower.losses.mayClear = true;
      this.touch();
      this.act({ act: 'clear' });
      return;
    }
    this.marks.hit('branch/operator cleared a halt');
    this.crash();
    this.start(true);
    this.#letGo();
  }

  /** Nothing that he held back before is held back any more. */
  #letGo(): void {
    const { operator } = this.tower;
    if (!operator.holds) return;
    this.act({ act: 'resume', strategy: undefined });
    if (this.trader?.trader.view.mode === 'reducing') this.act({ act: 'clear' });
    for (const strategy of operator.off)
      this.act({ act: 'startStrategy', strategy }, this.#params.get(strategy));
  }

  /** Lets time go on to `untilMs` since the beginning, or to the first breach. */
  async run(untilMs: number): Promise<void> {
    const end = beginning + untilMs * 1_000;
    while (this.breaches.list.length === 0) {
      const next = this.time.nextTime();
      if (next === undefined || next > end) break;
      try {
        this.time.advanceTo(next);
        this.exchange.outbox.leave();
        if (this.#touched) {
          this.#touched = false;
          await microtasks();
          this.exchange.outbox.leave();
        }
      } catch (error) {
        this.breaches.add('throw', error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
      this.tower.afterStep();
    }
    if (this.breaches.list.length === 0) this.time.advanceTo(micros(end));
  }
}

/** Whether a halt that only an operator may end was reported, and none has ended it. */
function isLatched(history: readonly StampedEvent[]): boolean {
  let latched = false;
  for (const { event } of history)
    if (event.kind === 'modeChanged') latched = event.mode === 'halted' && (latched || event.latched);
  return latched;
}

/** Every promise that can go on has gone on. */
function microtasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A program as a process has it: it follows its symbols, and what it asks for comes by the gateway. */
function programStrategy(
  { name, tag, symbols, funds }: ProgramRole,
  gateway: SimGateway | undefined,
): SimStrategy {
  const definition = defineStrategy({
    name,
    params: z.strictObject({}),
    feeds: () => symbols.map((symbol) => ({ symbol, book: true, trades: true })),
    create: () => ({}),
  });
  return { definition, tag, params: {}, program: { funds, opened: (host) => gateway?.opened(host) } };
}
