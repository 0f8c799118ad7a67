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
import { MarginHolds } from './margin-holds.ts';
import { OpenChanges } from './margin-open-changes.ts';
import { Reservations } from './reservations.ts';
import type {
  InstrumentLimits,
  ResolvedLimits,
  ResolvedLossLimit,
  ResolvedStrategy,
  StrategyEntry,
} from './limits.ts';
import { resolveLimits } from './limits.ts';
import type { LimitSettings, OrderOptions } from './options.ts';
import { RecentOrders } from './recent.ts';
import { Throttle } from './throttle.ts';

/** What the controls remember of one strategy. */
export interface StrategyMemory {
  readonly limits: ResolvedStrategy;
  readonly messages: Throttle;
  readonly recent: RecentOrders;
  /** How every id of it in this run begins, or a text that no id begins with. */
  readonly idHead: string;
}

/** What an exit may ask for. */
export type ExitIntent = PlaceIntent | PlaceListIntent | ReplaceIntent;

/**
 * An exit that is not denied because of own orders which are being cancelled, or a replacement at a venue that offers none: it waits
 * until these have ended.
 */
export interface HeldExit {
  readonly intent: ExitIntent;
  readonly requests: readonly OrderRequest[];
  /** By `uptime`. */
  readonly since: Micros;
  /** Own orders whose end it waits for; none when it waits for the balance that these freed. */
  readonly waitsFor: readonly ClientOrderId[];
  /** What it would have been denied for. */
  readonly denial: Denial;
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

interface MemoryParts {
  readonly instruments: Instruments;
  readonly options: OrderOptions;
  readonly clock: Clock;
  readonly run: string;
  readonly strategies: readonly StrategyEntry[];
  /** What the venue can do; everything when left out. */
  readonly capabilities?: Capabilities | undefined;
  /** Other options that the same memory is read under, beside `options`. */
  readonly also?: OrderOptions | undefined;
}

/** What the controls know beside the state: limits, what passed lately, what is held back, whether we are reconciled. */
export class Memory {
  /** This, `instruments`, `strategies`, `losses` and `messages` change when other limits are taken. */
  options: OrderOptions;
  readonly capabilities: Capabilities;
  readonly run: string;
  /** How every id of ours in this run begins. */
  readonly runHead: string;
  instruments: readonly InstrumentLimits[];
  strategies: ReadonlyMap<string, StrategyMemory>;
  /** What the strategies trade; spot when there is none. */
  readonly products: ReadonlySet<Product>;
  losses: readonly ResolvedLossLimit[];
  messages: Throttle;
  /** Of the wallet of spot and margin trading. */
  readonly reservations = new Reservations();
  /** Of the wallet of contracts. */
  readonly futuresReservations = new Reservations();
  readonly marginHolds = new MarginHolds();
  /** Exits that wait for own orders to end, the oldest first. */
  readonly held: HeldExit[] = [];
  /** Orders that stay at the venue when the run ends, or while a halt waits for evidence. */
  readonly keptAtStop = new Set<ClientOrderId>();
  readonly marginChanges: OpenChanges;
  readonly clock: Clock;
  /** Whether the reconciliation after the last start or outage has finished. */
  reconciled = false;
  readonly #parts: MemoryParts;

  /** Throws `BadInput` when the limits do not fit the instruments. */
  constructor(parts: MemoryParts) {
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
        recent: new RecentOrders(this.#recentMax(one)),
        idHead: wholeHead(`${this.runHead}${one.tag}-`),
      });
    }
    this.strategies = strategies;
    const traded = [...strategies.values()].flatMap((one) => one.limits.products);
    this.products = new Set(traded.length === 0 ? ['spot'] : traded);
  }

  /** Other limits for the same run. Changes nothing. Throws `BadInput` when they do not fit the instruments. */
  resolve({ orders, strategies: given }: LimitSettings): ResolvedLimits {
    const { instruments, strategies } = this.#parts;
    return resolveLimits({
      instruments,
      capabilities: this.capabilities,
      options: { ...this.options, ...orders },
      strategies: strategies.map((entry) => ({
        ...entry,
        limits: { ...entry.limits, ...given[entry.name] },
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
  take({ options, instruments, strategies, losses }: ResolvedLimits): void {
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
        recent: before.recent.resized(this.#recentMax(limits)),
        idHead: before.idHead,
      });
    }
    this.strategies = taken;
  }

  /** The same memory, read under other options. Limits of symbols and strategies stay those it was made with. */
  under(options: OrderOptions): Memory {
    return Object.create(this, { options: { value: options } }) as Memory;
  }

  /** How many orders of a strategy may pass within the time in which equal ones are refused. */
  #recentMax({ messagesPerSecondMax }: ResolvedStrategy): number {
    const { options } = this;
    const most = Math.min(messagesPerSecondMax, options.messagesPerSecondMax);
    const duplicateMs = Math.max(options.duplicateMs, this.#parts.also?.duplicateMs ?? 0);
    return Math.min(most * Math.max(1, Math.ceil(duplicateMs / 1_000)), 10_000);
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

  get duplicateWindow(): Micros {
    return millis(this.options.duplicateMs);
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
