import type { Amount } from '../../base/amount.ts';
import type { Clock, Micros } from '../../base/clock.ts';
import type { Command } from '../../model/command.ts';
import type { Denial } from '../../model/denial.ts';
import type {
  ChargeFound,
  Event,
  MarginFound,
  ModeChanged,
  OrderDenied,
  StrategyNoted,
} from '../../model/event.ts';
import type { Correction, Difference, MovedMoney } from '../../model/difference.ts';
import type { LossKind, LossLatch, LossScope, ProfitCourse, ProfitMark } from '../../model/loss.ts';
import type { MarginChange } from '../../model/margin.ts';
import { canceledReport } from '../../model/canceled-report.ts';
import type { EvidenceHalt } from '../../model/evidence-halt.ts';
import type { ClientOrderId, Order, OrderState, VenueOrder } from '../../model/order.ts';

/** Numbers the commands, dates the verdicts and hands them to the trader, who records each before this returns. */
export class Outbox {
  readonly #clock: Clock;
  readonly #emit: (event: Event) => void;
  #commandId = 0;

  constructor(clock: Clock, emit: (event: Event) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  /** A number no command of this run has. */
  nextCommandId(): number {
    this.#commandId += 1;
    return this.#commandId;
  }

  pending(command: Command): void {
    const { exchangeTime, receiveTime } = this.#times();
    switch (command.kind) {
      case 'newOrder':
        this.#emit({ kind: 'orderPending', exchangeTime, receiveTime, command });
        return;
      case 'cancelOrder':
        this.#emit({ kind: 'cancelPending', exchangeTime, receiveTime, command });
        return;
      case 'replaceOrder':
        this.#emit({ kind: 'replacePending', exchangeTime, receiveTime, command });
        return;
      case 'changeMargin':
        this.#emit({ kind: 'marginPending', exchangeTime, receiveTime, command });
        return;
      case 'read':
        this.#emit({ kind: 'readPending', exchangeTime, receiveTime, command });
    }
  }

  denied(
    about: Pick<OrderDenied, 'strategy' | 'action' | 'clientOrderId' | 'originalClientOrderId'>,
    denial: Denial,
  ): void {
    const { strategy, action, clientOrderId, originalClientOrderId } = about;
    this.#emit({
      kind: 'orderDenied',
      ...this.#times(),
      strategy,
      action,
      clientOrderId,
      originalClientOrderId,
      denial,
    });
  }

  marginDenied(strategy: string, change: MarginChange, denial: Denial): void {
    this.#emit({ kind: 'marginDenied', ...this.#times(), strategy, change, denial });
  }

  /** A change of margin that the venue turned away for its rate, or (code 0) that it did not make as its accounts show. */
  marginRejected(
    strategy: string,
    change: MarginChange,
    { code, why }: { readonly code: number; readonly why: string },
  ): void {
    this.#emit({ kind: 'marginRejected', ...this.#times(), strategy, change, code, why });
  }

  marginFound(finding: Omit<MarginFound, 'kind' | 'exchangeTime' | 'receiveTime'>): void {
    this.#emit({ kind: 'marginFound', ...this.#times(), ...finding });
  }

  differenceFound(difference: Difference): void {
    this.#emit({ kind: 'differenceFound', ...this.#times(), difference });
  }

  differenceEnded(key: string, why: string): void {
    this.#emit({ kind: 'differenceEnded', ...this.#times(), key, why });
  }

  executionCorrected(correction: Correction): void {
    this.#emit({ kind: 'executionCorrected', ...this.#times(), correction });
  }

  moneyMoved(moved: MovedMoney): void {
    this.#emit({ kind: 'moneyMoved', ...this.#times(), moved });
  }

  chargeFound(finding: Omit<ChargeFound, 'kind' | 'exchangeTime' | 'receiveTime'>): void {
    this.#emit({ kind: 'chargeFound', ...this.#times(), ...finding });
  }

  provenAbsent(clientOrderId: ClientOrderId): void {
    this.#emit({ kind: 'orderProvenAbsent', ...this.#times(), clientOrderId });
  }

  foundAlive({ clientOrderId, state }: VenueOrder, believed: OrderState | undefined): void {
    this.#emit({ kind: 'orderFoundAlive', ...this.#times(), clientOrderId, state, believed });
  }

  assigned(clientOrderId: ClientOrderId, strategy: string, why: string): void {
    this.#emit({ kind: 'orderAssigned', ...this.#times(), clientOrderId, strategy, why });
  }

  unknown(clientOrderId: ClientOrderId, why: string): void {
    this.#emit({ kind: 'orderUnknown', ...this.#times(), clientOrderId, why });
  }

  /** The venue turned an order away for pace (429): it did nothing, so the order does not exist. */
  limited(clientOrderId: ClientOrderId, originalClientOrderId: ClientOrderId | undefined): void {
    this.#emit({
      kind: 'orderRejected',
      ...this.#times(),
      clientOrderId,
      originalClientOrderId,
      code: 429,
      why: 'too many requests',
    });
  }

  /** A live order that two complete reads no longer show, nor its history: it ended unseen. */
  vanished(order: Order): void {
    this.#emit(canceledReport(order, this.#times()));
  }

  /** Halts trading until evidence comes. */
  haltUntil(halt: EvidenceHalt, why: string): void {
    this.#emit({ kind: 'modeChanged', ...this.#times(), mode: 'halted', why, latched: false, [halt]: true });
  }

  /** The evidence has come that a halt waits for: it is over, and `mode` holds. `because`: what has come, as a clause. */
  haltOver(halt: EvidenceHalt, mode: Pick<ModeChanged, 'mode' | 'why' | 'latched'>, because: string): void {
    const why = mode.mode === 'active' ? because : mode.why;
    this.#emit({ kind: 'modeChanged', ...this.#times(), ...mode, why, [halt]: false });
  }

  profitMarked(mark: ProfitMark): void {
    this.#emit({ kind: 'profitMarked', ...this.#times(), mark });
  }

  profitCourseMarked(course: ProfitCourse): void {
    this.#emit({ kind: 'profitCourseMarked', ...this.#times(), course });
  }

  lossLimitReached(latch: LossLatch): void {
    this.#emit({ kind: 'lossLimitReached', ...this.#times(), latch });
  }

  lossLimitCleared(
    { strategy, currency, limit }: LossScope & { readonly limit: LossKind },
    why: string,
    profit: Amount | undefined,
    recounted?: true,
  ): void {
    this.#emit({
      kind: 'lossLimitCleared',
      ...this.#times(),
      strategy,
      currency,
      limit,
      why,
      profit,
      ...(recounted && { recounted }),
    });
  }

  stopStrategy(strategy: string, why: string): void {
    this.#emit({ kind: 'strategyStopped', ...this.#times(), strategy, why });
  }

  /** Notes what a person should read about the orders of a strategy. */
  noteText(strategy: string, level: StrategyNoted['level'], text: string): void {
    this.#emit({ kind: 'strategyNoted', ...this.#times(), strategy, level, text });
  }

  #times(): { readonly exchangeTime: Micros; readonly receiveTime: Micros } {
    const now = this.#clock.now();
    return { exchangeTime: now, receiveTime: now };
  }
}
