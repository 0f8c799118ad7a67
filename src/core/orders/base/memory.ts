import type { Clock, Micros } from '../../base/clock.ts';
import { millis, seconds } from '../../base/clock.ts';
import { BadInput } from '../../base/errors.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import { fullCapabilities } from '../../model/capabilities.ts';
import { firstClientOrderId, ownerOf } from '../../model/client-order-id.ts';
import type { Denial } from '../../model/denial.ts';
import type { Instruments } from '../../model/instrument.ts';
import type { PlaceIntent, PlaceListIntent, ReplaceIntent } from '../../model/intent.ts';
import type { ClientOrderId, OrderRequest } from '../../model/order.ts';
import type { Product } from '../../model/product.ts';
import { OpenChanges } from './margin-open-changes.ts';
import { checkOthers } from './owners.ts';
import { Reservations } from './reservations.ts';
import type {
  InstrumentLimits,
  ResolvedLimits,
  ResolvedLossLimit,
  ResolvedStrategy,
  StrategyEntry,
} from './limits.ts';
import { resolveLimits } from './limits.ts';
import type { SharedLimits, SharedOptions } from './options.ts';
import { Throttle } from './throttle.ts';

/** Memory of one rule about one strategy. It is told of orders that passed all controls and have left. */
export interface RuleState {
  placed?(request: OrderRequest, now: Micros): void;
  /** `now` is by `uptime`, as above. */
  replaced?(original: ClientOrderId, id: ClientOrderId, now: Micros): void;
}

interface RuleStateParts {
  readonly limits: ResolvedStrategy;
  /** Options that the state is read under: those of the run, and those that are only counted where there are any. */
  readonly options: readonly SharedOptions[];
}

/** Makes and finds what one rule remembers of each strategy. */
export interface RuleStates<State extends RuleState = RuleState> {
  of(strategy: StrategyMemory): State;
  /** `before`: what the rule remembered until other limits were taken. */
  make(parts: RuleStateParts, before: RuleState | undefined): State;
}

export function ruleStates<State extends RuleState>(
  make: (parts: RuleStateParts, before: State | undefined) => State,
): RuleStates<State> {
  const states: RuleStates<State> = {
    of: ({ ruleStates: known }) => known.get(states) as State,
    make: (parts, before) => make(parts, before as State | undefined),
  };
  return states;
}

/** Memory of the controls for one strategy. */
export interface StrategyMemory {
  readonly limits: ResolvedStrategy;
  readonly messages: Throttle;
  readonly ruleStates: ReadonlyMap<RuleStates, RuleState>;
  /** The same in the order of the rules: a loop over it makes no iterator for each order. */
  readonly told: readonly RuleState[];
  /** How every id of it in this run begins, or a text that no id begins with. */
  readonly idHead: string;
}

/** Tells the rules of an order that passed and has left. */
export function notePlaced({ told }: StrategyMemory, request: OrderRequest, now: Micros): void {
  for (const state of told) state.placed?.(request, now);
}

/** The same of a replacement. */
export function noteReplaced(
  { told }: StrategyMemory,
  { clientOrderId, newClientOrderId }: ReplaceIntent,
  now: Micros,
): void {
  for (const state of told) state.replaced?.(clientOrderId, newClientOrderId, now);
}

/** Intents that an exit may be. */
export type ExitIntent = PlaceIntent | PlaceListIntent | ReplaceIntent;

/**
 * An exit that is not denied because of own orders which are being cancelled, or a replacement at a venue that offers none: it waits
 * until these have ended.
 */
export interface HeldExit {
  readonly intent: ExitIntent;
  readonly requests: readonly OrderRequest[];
  /** Begin, by `uptime`. */
  readonly since: Micros;
  /** Own orders whose end it waits for; none when it waits for the balance that these freed. */
  readonly waitsFor: readonly ClientOrderId[];
  /** Denial that it would have had. */
  readonly denial: Denial;
  /** Open orders that it was one too many beside; 0 where their count was not the cause. */
  readonly openCount: number;
  /** When the last of them had ended. */
  readonly freedAt: Micros | undefined;
  /** The order that was cancelled for it to replace; none of an exit. */
  readonly original: ClientOrderId | undefined;
  isLate: boolean;
}

/** The word for what is held. */
export function kindOf({ original }: Pick<HeldExit, 'original'>): 'exit' | 'replacement' {
  return original === undefined ? 'exit' : 'replacement';
}

interface MemoryDeps {
  readonly instruments: Instruments;
  readonly options: SharedOptions;
  readonly clock: Clock;
  readonly run: string;
  readonly strategies: readonly StrategyEntry[];
  /** Memories of the rules of the run. */
  readonly states: readonly RuleStates[];
  /** Abilities of the venue; everything when left out. */
  readonly capabilities?: Capabilities | undefined;
  /** Other options that the same memory is read under, beside `options`. */
  readonly also?: SharedOptions | undefined;
}

/** Knowledge of the controls beside the state: limits, what passed lately, what is held back, whether we are reconciled. */
export class Memory {
  /** This, `instruments`, `strategies`, `losses` and `messages` change when other limits are taken. */
  options: SharedOptions;
  readonly capabilities: Capabilities;
  readonly run: string;
  /** How every id of ours in this run begins. */
  readonly runHead: string;
  instruments: readonly InstrumentLimits[];
  strategies: ReadonlyMap<string, StrategyMemory>;
  /** Products that the strategies trade; spot when there is none. */
  readonly products: ReadonlySet<Product>;
  losses: readonly ResolvedLossLimit[];
  messages: Throttle;
  /** Reservations of balances: of the wallet of spot and margin trading, and of that of contracts. */
  readonly reservations = { spot: new Reservations(), futures: new Reservations() };
  /** Reservations of margin accounts, by product. */
  readonly marginReservations = { margin: new Reservations(), futures: new Reservations() };
  /** Exits that wait for own orders to end, the oldest first. */
  readonly held: HeldExit[] = [];
  /** Orders that stay at the venue when the run ends, or while a halt waits for evidence. */
  readonly keptAtStop = new Set<ClientOrderId>();
  readonly marginChanges: OpenChanges;
  readonly clock: Clock;
  /** Whether the reconciliation after the last start or outage has finished. */
  reconciled = false;
  readonly #parts: MemoryDeps;

  /** Throws `BadInput` when the limits do not fit the instruments. */
  constructor(parts: MemoryDeps) {
    const { options, capabilities = fullCapabilities } = parts;
    this.#parts = parts;
    this.options = options;
    this.capabilities = capabilities;
    this.run = parts.run;
    this.runHead = `${options.idPrefix}-${parts.run}-`;
    this.clock = parts.clock;
    this.marginChanges = new OpenChanges(parts.clock);
    const limits = resolveLimits({ ...parts, capabilities });
    this.instruments = limits.instruments;
    this.losses = limits.losses;
    this.messages = new Throttle(options.messagesPerSecondMax, seconds(1));
    const strategies = new Map<string, StrategyMemory>();
    for (const one of limits.strategies.values()) {
      checkIds(`${this.runHead}${one.tag}-`, one.name, capabilities);
      strategies.set(one.name, {
        limits: one,
        messages: new Throttle(one.messagesPerSecondMax, seconds(1)),
        ...this.#statesOf(one),
        idHead: wholeHead(`${this.runHead}${one.tag}-`),
      });
    }
    this.strategies = strategies;
    checkOthers(options, strategies);
    const traded = [...strategies.values()].flatMap((one) => one.limits.products);
    this.products = new Set(traded.length === 0 ? ['spot'] : traded);
  }

  /** Other limits for the same run. Changes nothing. Throws `BadInput` when they do not fit the instruments. */
  resolve({ orders, strategies: given }: SharedLimits): ResolvedLimits {
    const { instruments, strategies } = this.#parts;
    return resolveLimits({
      instruments,
      capabilities: this.capabilities,
      options: { ...this.options, ...orders },
      strategies: strategies.map((entry) => ({
        ...entry,
        limits: limitsAnew(entry.limits, given[entry.name]),
      })),
    });
  }

  /** The limits that hold now. */
  get limits(): ResolvedLimits {
    const { options, instruments, losses } = this;
    const strategies = new Map([...this.strategies].map(([name, { limits }]) => [name, limits]));
    return { options, instruments, losses, strategies };
  }

  /** Lets other limits hold from now on. What passed lately counts against them. */
  takeLimits({ options, instruments, strategies, losses }: ResolvedLimits): void {
    this.options = options;
    this.instruments = instruments;
    this.losses = losses;
    this.messages = this.messages.resized(options.messagesPerSecondMax);
    const taken = new Map<string, StrategyMemory>();
    for (const [name, before] of this.strategies) {
      const limits = strategies.get(name) ?? before.limits;
      taken.set(name, {
        limits,
        messages: before.messages.resized(limits.messagesPerSecondMax),
        ...this.#statesOf(limits, before.ruleStates),
        idHead: before.idHead,
      });
    }
    this.strategies = taken;
  }

  /** The same memory, read under other options. Limits of symbols and strategies stay those it was made with. */
  under(options: SharedOptions): Memory {
    return Object.create(this, { options: { value: options } }) as Memory;
  }

  #statesOf(
    limits: ResolvedStrategy,
    before?: ReadonlyMap<RuleStates, RuleState>,
  ): Pick<StrategyMemory, 'ruleStates' | 'told'> {
    const { states, also } = this.#parts;
    const options = also === undefined ? [this.options] : [this.options, also];
    const ruleStates = new Map(
      states.map((one) => [one, one.make({ limits, options }, before?.get(one))] as const),
    );
    return { ruleStates, told: [...ruleStates.values()] };
  }

  /** Monotonic time, for windows. */
  get uptime(): Micros {
    return this.clock.uptime();
  }

  /** Wall time by our own clock. */
  get now(): Micros {
    return this.clock.now();
  }

  get marketLagMax(): Micros {
    return millis(this.options.marketLagMsMax);
  }
}

/** Throws `BadInput` when the ids made for a strategy are none that the venue takes. */
function checkIds(head: string, strategy: string, { clientOrderId }: Capabilities): void {
  const first = firstClientOrderId(head);
  if (first.length <= clientOrderId.lengthMax && clientOrderId.pattern.test(first)) return;
  throw new BadInput(
    `strategy ${strategy}: its order ids begin ${first}, and the venue takes ${clientOrderId.text}; choose a shorter orders.idPrefix or strategy name`,
  );
}

/** An id cannot contain a line break: with one behind it, a head that makes no id of ours fits none. */
function wholeHead(head: string): string {
  return ownerOf(`${head}0`) === undefined ? `${head}\n` : head;
}

/** Limits that replace those before but for the symbols, which a run keeps. A limit that is left out is gone. */
function limitsAnew(
  before: StrategyEntry['limits'],
  given: SharedLimits['strategies'][string] | undefined,
): StrategyEntry['limits'] {
  const { symbols } = before;
  return given === undefined ? before : { ...given, ...(symbols !== undefined && { symbols }) };
}
