import type {
  ExchangeCommand,
  PlaceCommand,
  ReplaceCommand,
} from '../../src/exchange/matching/accounts/command.ts';
import type { Outcome } from '../../src/exchange/matching/accounts/outcome.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { Fill, OrderRequest } from '../../src/core/model/order.ts';
import type { NaiveBook } from './naive-book.ts';
import type { ReportKind } from './naive-order-manager.ts';
import { NaiveOrderManager } from './naive-order-manager.ts';
import { placeListNaively } from './naive-lists.ts';
import { needOf } from './naive-need.ts';
import type { NaiveOrder } from './naive-order.ts';
import { refusalOf } from './naive-rules.ts';

/**
 * The exchange again, slow and obvious: one list of live orders, sorted whenever somebody asks. What it says is
 * compared with the fast one, so nothing here may come from `src/exchange/matching` but types.
 */
export class NaiveExchange extends NaiveOrderManager {
  /** Kept from command to command only because sorting everything twice takes so long. */
  #levelsNow: ReturnType<NaiveBook['allLevels']> | undefined;

  handle(command: ExchangeCommand, now: number): Outcome[] {
    this.now = now;
    this.outcomes = [];
    this.ended = this.ended.filter(({ at }) => now < at + this.options.idReuseAfter);
    const levels = this.#levelsNow ?? this.allLevels();
    const balances = this.money.snapshot();
    this.expire();
    this.#obey(command);
    for (let fired = this.fired.shift(); fired !== undefined; fired = this.fired.shift())
      if (!fired.ended) this.#wake(fired);
    this.#levelsNow = this.allLevels();
    const changedLevels = this.changedSince(levels, this.#levelsNow);
    return [...this.outcomes, ...changedLevels, ...this.money.changedSince(balances)];
  }

  #obey(command: ExchangeCommand): void {
    switch (command.kind) {
      case 'place':
        return this.#place(command);
      case 'placeList':
        return placeListNaively(this, command);
      case 'cancel': {
        const found = this.find(command.account, command.clientOrderId);
        if (found !== undefined) return this.finish(found, 'canceled');
        return this.refuse(command.account, command.clientOrderId, 'ORDER_NOT_FOUND');
      }
      case 'replace':
        return this.#replace(command);
      case 'cancelAll': {
        const wanted = this.live
          .filter(({ account }) => account === command.account)
          .filter(({ order }) => command.instrument === undefined || order.instrument === command.instrument)
          .sort((a, b) => Number(a.order.venueOrderId) - Number(b.order.venueOrderId));
        for (const found of wanted) if (!found.ended) this.finish(found, 'canceled');
        return;
      }
      case 'adjustBalance':
        if (!this.money.adjust(command.account, command.currency, command.change))
          this.refuse(command.account, undefined, 'INSUFFICIENT_FUNDS');
        return;
      case 'expire':
        return;
      case 'setStatus':
        this.status[command.instrument] = command.status;
        this.outcomes.push({ kind: 'status', instrument: command.instrument });
    }
  }

  #place(command: PlaceCommand): void {
    const { account, request } = command;
    const code = refusalOf(this, account, request);
    if (code !== undefined) return this.refuse(account, request.clientOrderId, code);
    const stop = request.stopPrice !== undefined;
    const fresh = this.make(command, request, stop ? 'suspended' : 'new');
    if (!this.money.hold(fresh, needOf(this, fresh)))
      return this.refuse(account, request.clientOrderId, 'INSUFFICIENT_FUNDS');
    this.live.push(fresh);
    this.begin(fresh);
  }

  /** A funded order comes to the market, or to the triggers. */
  begin(fresh: NaiveOrder): void {
    if (fresh.order.stopPrice !== undefined) this.#suspend(fresh, 'suspended');
    else this.#enter(fresh, 'new');
  }

  #replace(command: ReplaceCommand): void {
    const { account, clientOrderId } = command;
    const old = this.find(account, clientOrderId);
    if (old === undefined) return this.refuse(account, clientOrderId, 'ORDER_NOT_FOUND');
    if (old.list !== undefined && (old.list.exclusive || old.list.primary !== undefined))
      return this.refuse(account, clientOrderId, 'LIST_BOUND');
    const request: OrderRequest = {
      ...old.order,
      clientOrderId: command.newClientOrderId as OrderRequest['clientOrderId'],
      quantity: command.quantity,
      price: command.price ?? old.order.price,
      stopPrice: command.stopPrice ?? old.order.stopPrice,
    };
    const code = refusalOf(this, account, request, { replaced: old.order });
    if (code !== undefined) return this.refuse(account, clientOrderId, code);
    const suspended = old.order.state === 'suspended';
    if (request.quantity <= old.order.cumulative) return this.finish(old, 'canceled');
    const fresh = this.make(old, request, suspended ? 'suspended' : 'new');
    fresh.order.cumulative = old.order.cumulative;
    fresh.order.createdAt = old.order.createdAt;
    fresh.order.originalClientOrderId = old.order.clientOrderId;
    fresh.expiresAt = old.expiresAt;
    this.remove(old);
    const { held } = old;
    this.money.free(old);
    const takes = !suspended && request.postOnly && this.takeable(fresh).length > 0;
    if (takes || !this.money.hold(fresh, needOf(this, fresh))) {
      this.money.hold(old, held);
      this.live.push(old);
      return this.finish(old, 'canceled');
    }
    this.retire(old);
    this.live.push(fresh);
    if (suspended) this.#suspend(fresh, 'replaced');
    else this.#enter(fresh, 'replaced');
  }

  #suspend(order: NaiveOrder, kind: ReportKind): void {
    // A secondary of a list comes to the triggers later than it was made.
    order.turn = this.turn++;
    this.report(order, kind);
    this.fire(order.order.instrument);
  }

  #enter(taker: NaiveOrder, kind: ReportKind): void {
    const { order } = taker;
    if (order.postOnly && this.takeable(taker).length > 0) return this.finish(taker, 'expired');
    order.state = order.cumulative > 0 ? 'partiallyFilled' : 'new';
    this.report(taker, kind);
    if (order.timeInForce === 'FOK' && this.available(taker) < order.quantity - order.cumulative)
      return this.finish(taker, 'expired');
    this.take(taker);
    if (order.cumulative === order.quantity) return;
    if (order.timeInForce === 'IOC' || order.price === undefined) this.finish(taker, 'expired');
    else taker.turn = this.turn++;
  }

  /** Executes an order as far as it goes. It ends an order of its own list instead of executing against it. */
  take(taker: NaiveOrder): void {
    const { order } = taker;
    for (
      let [maker] = this.takeable(taker);
      maker !== undefined && order.cumulative < order.quantity;
      [maker] = this.takeable(taker)
    ) {
      if (maker.list?.exclusive === true && maker.list === taker.list) this.finish(maker, 'canceled');
      else this.#execute(taker, maker);
    }
    this.fire(order.instrument);
  }

  #execute(taker: NaiveOrder, maker: NaiveOrder): void {
    const left = (one: NaiveOrder): number => one.order.quantity - one.order.cumulative;
    const quantity = Math.min(left(taker), left(maker)) as Lots;
    const price = maker.order.price as Ticks;
    const { instrument, side } = taker.order;
    const tradeId = this.tradeNumber++;
    const time = this.now as Fill['time'];
    this.last[instrument] = price;
    for (const party of [maker, taker]) {
      this.decide(party);
      const fee = this.money.pay(party, price, quantity, party === taker) as Fill['fee'];
      party.order.cumulative = (party.order.cumulative + quantity) as Lots;
      party.order.updatedAt = time;
      party.order.state = left(party) === 0 ? 'filled' : 'partiallyFilled';
      if (left(party) === 0) this.remove(party);
      const isTaker = party === taker;
      const fill = { tradeId: String(tradeId), price, quantity, fee, taker: isTaker, time };
      this.report(party, 'trade', fill);
      this.money.shrink(party);
      if (left(party) === 0) this.retire(party);
      this.followTrade(party);
    }
    this.outcomes.push({ kind: 'trade', instrument, tradeId, price, quantity, side, time });
  }

  /** Takes every order whose stop the last price has reached off the triggers. */
  fire(instrument: InstrumentId): void {
    const reached = this.reached(instrument);
    this.fired.push(...reached);
    for (const one of reached) this.remove(one);
  }

  #wake(one: NaiveOrder): void {
    one.order.updatedAt = this.now as Fill['time'];
    const secondary = one.inactive;
    one.inactive = false;
    if (secondary && this.status[one.order.instrument] !== 'working') return this.finish(one, 'canceled');
    if (!secondary || one.order.stopPrice === undefined) one.order.state = 'new';
    if (secondary || (one.order.side === 'buy' && one.order.price === undefined)) {
      this.money.free(one);
      if (!this.money.hold(one, needOf(this, one))) return this.finish(one, 'canceled');
    }
    this.live.push(one);
    if (secondary) this.begin(one);
    else this.#enter(one, 'new');
  }
}
