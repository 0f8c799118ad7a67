import type { Clock, Micros } from '../base/clock.ts';
import { millis, seconds } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import type { Capabilities } from '../model/capabilities.ts';
import { fullCapabilities } from '../model/capabilities.ts';
import { firstClientOrderId, ownerOf } from '../model/client-order-id.ts';
import type { Instruments } from '../model/instrument.ts';
import type { Product } from '../model/product.ts';
import { MarginHolds } from './margin/holds.ts';
import { OpenChanges } from './margin/open-changes.ts';
import { Reservations } from './reservations.ts';
import type { InstrumentLimits, ResolvedLossLimit, ResolvedStrategy, StrategyEntry } from './limits.ts';
import { resolveInstruments, resolveLosses, resolveStrategies } from './limits.ts';
import type { OrderOptions } from './options.ts';
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
  readonly options: OrderOptions;
  readonly capabilities: Capabilities;
  readonly run: string;
  /** How every id of ours in this run begins. */
  readonly runHead: string;
  readonly instruments: readonly InstrumentLimits[];
  readonly strategies: ReadonlyMap<string, StrategyMemory>;
  /** What the strategies trade; spot when there is none. */
  readonly products: ReadonlySet<Product>;
  readonly losses: readonly ResolvedLossLimit[];
  readonly messages: Throttle;
  /** Of the wallet of spot and margin trading. */
  readonly reservations = new Reservations();
  /** Of the wallet of contracts. */
  readonly futuresReservations = new Reservations();
  readonly marginHolds = new MarginHolds();
  readonly marginChanges: OpenChanges;
  readonly clock: Clock;
  /** Whether the reconciliation after the last start or outage has finished. */
  reconciled = false;

  /** Throws `BadInput` when the limits do not fit the instruments. */
  constructor(parts: MemoryParts) {
    const { options, capabilities = fullCapabilities, also = options } = parts;
    this.options = options;
    this.capabilities = capabilities;
    this.run = parts.run;
    this.runHead = `${options.idPrefix}-${parts.run}-`;
    this.clock = parts.clock;
    this.marginChanges = new OpenChanges(parts.clock);
    this.instruments = resolveInstruments(parts.instruments, options, capabilities);
    this.losses = resolveLosses(parts.instruments, options.loss, parts.strategies);
    this.messages = new Throttle(options.messagesPerSecondMax, seconds(1));
    const strategies = new Map<string, StrategyMemory>();
    const duplicateMs = Math.max(options.duplicateMs, also.duplicateMs);
    for (const limits of resolveStrategies(parts.instruments, options.idPrefix, parts.strategies).values()) {
      checkIds(`${this.runHead}${limits.tag}-`, limits.name, capabilities);
      const most = Math.min(limits.messagesPerSecondMax, options.messagesPerSecondMax);
      const recentMax = most * Math.max(1, Math.ceil(duplicateMs / 1_000));
      strategies.set(limits.name, {
        limits,
        messages: new Throttle(limits.messagesPerSecondMax, seconds(1)),
        recent: new RecentOrders(Math.min(recentMax, 10_000)),
        idHead: wholeHead(`${this.runHead}${limits.tag}-`),
      });
    }
    this.strategies = strategies;
    const traded = [...strategies.values()].flatMap(({ limits }) => limits.products);
    this.products = new Set(traded.length === 0 ? ['spot'] : traded);
  }

  /** The same memory, read under other options. Limits of symbols and strategies stay those it was made with. */
  under(options: OrderOptions): Memory {
    return Object.create(this, { options: { value: options } }) as Memory;
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
