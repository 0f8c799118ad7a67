import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import type { MatchingOptions } from '../../src/exchange/matching/state/options.ts';
import type { Outcome, RefusalCode } from '../../src/exchange/matching/accounts/outcome.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import type { ContingencyType } from '../../src/core/model/order-list.ts';
import type { Fill, OrderRequest, VenueOrderState } from '../../src/core/model/order.ts';
import { NaiveBook } from './naive-book.ts';
import { NaiveMoney } from './naive-money.ts';
import type { NaiveOrder } from './naive-order.ts';
import { naiveOrder } from './naive-order.ts';
import { endOfDayNaively } from './naive-rules.ts';

export type ReportKind = 'new' | 'suspended' | 'replaced' | 'trade' | 'canceled' | 'expired';

/** How orders of the naive exchange begin, end and are reported. */
export class NaiveOrderManager extends NaiveBook {
  readonly options: MatchingOptions;
  readonly money: NaiveMoney;
  ended: { account: AccountId; clientOrderId: string; at: number }[] = [];
  status: string[];
  now = 0;
  outcomes: Outcome[] = [];
  fired: NaiveOrder[] = [];
  turn = 0;
  tradeNumber: number;
  #orderNumber: number;

  constructor(instruments: Instruments, options: MatchingOptions) {
    super(instruments);
    this.options = options;
    this.money = new NaiveMoney(instruments);
    this.status = instruments.all.map((instrument) => instrument.spec.status);
    this.#orderNumber = options.orderNumberStart;
    this.tradeNumber = options.tradeNumberStart;
  }

  make(
    from: Pick<NaiveOrder, 'account' | 'takeMarkup' | 'makeMarkup'>,
    request: OrderRequest,
    state: VenueOrderState,
  ): NaiveOrder {
    const expiresAt = request.timeInForce === 'Day' ? endOfDayNaively(this.now) : undefined;
    const place = { number: this.#orderNumber++, turn: this.turn++, now: this.now, expiresAt };
    return naiveOrder(from, request, state, place);
  }

  /** The end of an order that others wait for ends them too. */
  finish(one: NaiveOrder, state: 'canceled' | 'expired'): void {
    this.remove(one);
    this.money.free(one);
    one.order.state = state;
    one.order.updatedAt = this.now as Fill['time'];
    this.retire(one);
    this.report(one, state);
    const { list } = one;
    if (list === undefined || list.primary !== one) return;
    list.primary = undefined;
    for (const other of list.orders) if (!other.ended) this.finish(other, 'canceled');
  }

  /** What the execution of an order means for the others of its list. */
  followTrade(one: NaiveOrder): void {
    const { list } = one;
    if (list === undefined) return;
    const others = list.orders.filter((other) => other !== one && !other.ended);
    if (list.decided) for (const other of others) this.finish(other, 'canceled');
    else if (list.primary === one && one.order.state === 'filled') {
      list.primary = undefined;
      list.exclusive = list.contingency === 'oneTriggerOneCancelOther';
      for (const other of others) this.remove(other);
      this.fired.push(...others);
    }
  }

  /** The first execution of an exclusive list: the others hold nothing any more. */
  decide({ list, ...one }: NaiveOrder): void {
    if (list?.exclusive !== true) return;
    for (const other of list.orders) if (other.order !== one.order) this.money.free(other);
    list.exclusive = false;
    list.decided = true;
  }

  expire(): void {
    const due = this.live.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= this.now);
    const time = (one: NaiveOrder): number => one.expiresAt ?? 0;
    due.sort((a, b) => time(a) - time(b) || Number(a.order.venueOrderId) - Number(b.order.venueOrderId));
    for (const one of due) if (!one.ended) this.finish(one, 'expired');
  }

  remove(one: NaiveOrder): void {
    this.live = this.live.filter((other) => other !== one);
  }

  retire(one: NaiveOrder): void {
    one.ended = true;
    const { account, order } = one;
    this.ended.push({ account, clientOrderId: order.clientOrderId, at: this.now });
  }

  find(account: AccountId, clientOrderId: string): NaiveOrder | undefined {
    return this.live.find((one) => one.account === account && one.order.clientOrderId === clientOrderId);
  }

  report({ account, order, list, inactive }: NaiveOrder, reportType: ReportKind, fill?: Fill): void {
    const mark =
      list === undefined ? undefined : { contingency: list.contingency as ContingencyType, inactive };
    this.outcomes.push({ kind: 'report', account, reportType, order: { ...order }, fill, list: mark });
  }

  refuse(account: AccountId, clientOrderId: string | undefined, code: RefusalCode): void {
    this.outcomes.push({ kind: 'refused', account, clientOrderId, code, why: '' });
  }
}
