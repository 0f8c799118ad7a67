import type { Amount } from '../../src/core/base/amount.ts';
import { formatAmount } from '../../src/core/base/amount.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event, OrderPending, ReplacePending } from '../../src/core/model/event.ts';
import { executionKey } from '../../src/core/model/difference.ts';
import { evidenceHaltOf } from '../../src/core/model/evidence-halt.ts';
import type { Instrument, Instruments } from '../../src/core/model/instrument.ts';
import type { MarginAccountKey, MarginMark } from '../../src/core/model/margin.ts';
import { accountOf, marginKeyOf } from '../../src/core/model/margin.ts';
import { isOperatorOrder } from '../../src/core/model/operator.ts';
import type { Order, OrderRequest } from '../../src/core/model/order.ts';
import { needsPrice, needsStopPrice } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { StateCheck } from './check-state.ts';
import type { Lies } from './reported-orders.ts';
import type { SeedLimits } from './seed-limits.ts';
import { workloadName } from './cast.ts';
import { placeOf } from './traded.ts';

export interface AdmittedParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly instruments: Instruments;
  readonly state: StateCheck;
  readonly limits: SeedLimits;
  /** Wall time of the exchange. */
  readonly exchangeNow: () => number;
  readonly lies: Lies;
}

/** The trader has the exchange's clock measured to a second. */
const clockMax = 2_000_000;
/** An equal order comes a second later at the earliest. */
const equalMin = 990_000;
/** Highest ask over bid at which a market order may leave: a percent of the middle. */
const spreadMax = 1.0101;
/** By so much leverage at the price of an order and at that of the market may be apart. */
const leverageMargin = 1.1;
/** By so much the prices of a check and of a control may be apart. */
const valueMargin = 1.03;

/** Every order that our controls accept, looked at a second time: form, counts, pace, worth, and what holds orders back. I15, I17, I19. */
export class AdmittedCheck {
  readonly #parts: AdmittedParts;
  /** Ids that were asked for as new orders. */
  readonly #wanted = new Set<string>();
  /** When an order of these terms was admitted last, true time. */
  #equal = new Map<string, number>();
  /** When an order was made by a replacement, or replaced, true time. */
  #replaced = new Map<string, number>();
  readonly #stopped = new Set<string>();
  /** Strategies that the operator has paused in the present process; `undefined`: all. */
  readonly #paused = new Set<string | undefined>();
  readonly #halted = new Set<string>();

  constructor(parts: AdmittedParts) {
    this.#parts = parts;
  }

  restart(): void {
    this.#equal = new Map();
    this.#replaced = new Map();
    this.#stopped.clear();
    this.#paused.clear();
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    switch (event.kind) {
      case 'intent':
        if (event.intent.action === 'place') this.#wanted.add(event.intent.request.clientOrderId);
        return;
      case 'strategyStopped':
        this.#stopped.add(event.strategy);
        return;
      case 'strategyStarted':
        this.#stopped.delete(event.strategy);
        return;
      case 'operatorActed':
        if (event.act.act === 'pause') this.#paused.add(event.act.strategy);
        else if (event.act.act === 'resume') {
          if (event.act.strategy === undefined) this.#paused.clear();
          else this.#paused.delete(event.act.strategy);
        }
        return;
      case 'marginFound':
        if (event.halts) this.#halted.add(event.account.product);
        return;
      case 'modeChanged':
        if (evidenceHaltOf(event) === undefined && event.mode === 'active') this.#halted.clear();
        return;
      case 'orderPending':
        this.#placed(event, view);
        return;
      case 'replacePending':
        this.#replaces(event, view);
        return;
      default:
    }
  }

  #placed({ command: { request, strategy } }: OrderPending, view: StateView): void {
    const { clientOrderId: id, instrument, margin, list } = request;
    const grid = this.#parts.instruments.at(instrument);
    const why = malformed(request, grid) ?? this.#untimely(request);
    if (why !== undefined) this.#breach('I17', `order ${id} was admitted ${why}`);
    if (this.#stopped.has(strategy) && !isOperatorOrder(id))
      this.#breach('I7', `order ${id} of ${strategy}, which is stopped, was admitted`);
    this.#checkPause(id, strategy);
    if (margin !== undefined) {
      this.#checkAccount(id, margin, marginKeyOf(grid, margin.mode), view);
      this.#checkLeverage(request, margin, grid, view);
    }
    if (!view.sessionUp('trading')) this.#breach('I19', `order ${id} was admitted while the session is down`);
    if (margin !== undefined && this.#halted.has(marginKeyOf(grid, margin.mode).product))
      this.#breach('I7', `order ${id} was admitted although its product is halted`);
    if (!isOperatorOrder(id)) this.#checkAllowed(request, grid, strategy, view);
    if (margin === undefined && list === undefined) this.#checkDoubt(request, strategy, view);
    if (list !== undefined || !this.#wanted.has(id)) return;
    this.#checkCounts(id, strategy);
    this.#checkEqual(request, strategy);
    this.#checkMoney(request, strategy, view);
    this.#checkExposure(request, view);
  }

  /** An order on margin finds its account open, or opens it: an automatic one, and that of all contracts, which draws on the wallet. */
  #checkAccount(id: string, { auto, mode }: MarginMark, key: MarginAccountKey, view: StateView): void {
    if (auto || (key.product === 'futures' && mode === 'cross') || view.marginAccount(key) !== undefined)
      return;
    this.#breach('I19', `order ${id} was admitted, and its margin account is not open`);
  }

  /** Symbols and products that the strategy may trade, and market orders where they may leave and the sides of the book are near. */
  #checkAllowed(request: OrderRequest, { symbol }: Instrument, strategy: string, view: StateView): void {
    const { clientOrderId: id, instrument, type, margin } = request;
    const { symbolsBeside, marketOrders } = this.#parts.limits;
    if (strategy !== workloadName && symbolsBeside?.includes(symbol) === false)
      this.#breach('I19', `order ${id} was admitted, and ${strategy} may not trade ${symbol}`);
    if (strategy !== workloadName && margin !== undefined)
      this.#breach('I19', `order ${id} on margin was admitted, and ${strategy} trades spot alone`);
    if (needsPrice(type)) return;
    if (!marketOrders) this.#breach('I19', `order ${id} of type ${type} was admitted, and none may leave`);
    const { bestBid, bestAsk } = view.book(instrument);
    if (bestBid === undefined || bestAsk === undefined || bestAsk / bestBid > spreadMax)
      this.#breach('I19', `order ${id} of type ${type} was admitted between ${bestBid} and ${bestAsk} ticks`);
  }

  /** What an account holds once an order on isolated margin has executed, over what it is worth then, other orders left out. */
  #checkLeverage(
    { clientOrderId: id, side, quantity, price, list }: OrderRequest,
    { auto, mode, reduceOnly, closePosition }: MarginMark,
    grid: Instrument,
    view: StateView,
  ): void {
    const { leverageMax } = this.#parts.limits;
    const account = view.marginAccount(marginKeyOf(grid, mode));
    if (leverageMax === undefined || price === undefined || list !== undefined || account === undefined)
      return;
    if (mode !== 'isolated' || auto || account.auto || reduceOnly || closePosition) return;
    const number = (amount: Amount): number => Number(formatAmount(amount));
    const [position] = account.positions;
    const held = position === undefined ? 0 : number(position.quantity);
    const at = Number(grid.priceText(price));
    const lots = Number(grid.quantityText(quantity));
    const worth = Math.abs(held + (side === 'buy' ? lots : -lots)) * at;
    const equity =
      number(account.balance) + (position === undefined ? 0 : held * (at - number(position.entry)));
    if (worth > Math.abs(held) * at && worth > leverageMax * equity * leverageMargin)
      this.#breach(
        'I19',
        `order ${id} was admitted, and leads to ${worth.toFixed(2)} on ${equity.toFixed(2)}`,
      );
  }

  #checkPause(id: string, strategy: string): void {
    if (isOperatorOrder(id as never) || !(this.#paused.has(strategy) || this.#paused.has(undefined))) return;
    this.#breach('I7', `order ${id} of ${strategy} was admitted, and the operator has paused it`);
  }

  /** Why the time of an order is not right, in words. */
  #untimely({ timeInForce, expireTime }: OrderRequest): string | undefined {
    if (timeInForce !== 'GTD')
      return expireTime === undefined ? undefined : 'with an expire time that it has not';
    const isAhead = expireTime !== undefined && expireTime > this.#parts.exchangeNow() - clockMax;
    return isAhead ? undefined : 'that has expired already';
  }

  #checkCounts(id: string, strategy: string): void {
    const { state, limits } = this.#parts;
    let all = 0;
    let own = 0;
    for (const [, known] of state.orders.open()) {
      all += 1;
      if (known.strategy === strategy) own += 1;
    }
    if (all > limits.openOrdersAccountMax)
      this.#breach('I15', `order ${id} is the ${all}th of the account that may be open`);
    if (own > limits.openOrdersMax)
      this.#breach('I15', `order ${id} is the ${own}th of ${strategy} that may be open`);
  }

  #checkEqual(request: OrderRequest, strategy: string): void {
    const { clientOrderId: id, instrument, side, type, quantity, price, stopPrice, timeInForce } = request;
    if (isOperatorOrder(id)) return;
    const account = accountOf(request);
    const terms = [strategy, instrument, account, side, type, timeInForce, quantity, price, stopPrice].join(
      ' ',
    );
    const now = this.#parts.time.now();
    const before = this.#equal.get(terms);
    this.#equal.set(terms, now);
    if (before !== undefined && now - before < equalMin)
      this.#breach(
        'I19',
        `order ${id} asks for the same as another ${(now - before) / 1_000} ms before: ${terms}`,
      );
  }

  /** While money is unexplained only what reduces is admitted, or nothing. */
  #checkMoney(
    { clientOrderId: id, instrument, side, quantity, margin }: OrderRequest,
    strategy: string,
    view: StateView,
  ): void {
    const rows = view.differences.all;
    if (rows.length === 0) return;
    if (rows.some(({ holds }) => holds === 'halted'))
      this.#breach('I19', `order ${id} was admitted while unexplained money halts trading`);
    if (margin !== undefined || !rows.some(({ holds }) => holds !== undefined)) return;
    const held = this.#parts.state.orders.profits.lotsOf(strategy, placeOf(instrument, 'spot'));
    if (quantity > (side === 'sell' ? held : -held))
      this.#breach('I19', `order ${id} was admitted while money is unexplained, and reduces nothing`);
  }

  /** What never was is not sold: an exit finds a position without the executions that a complete read did not show. */
  #checkDoubt(
    { clientOrderId: id, instrument, side, quantity }: OrderRequest,
    strategy: string,
    view: StateView,
  ): void {
    const place = placeOf(instrument, 'spot');
    const away = side === 'buy' ? -1 : 1;
    const held = away * this.#parts.state.orders.profits.lotsOf(strategy, place);
    let certain = held;
    for (const trade of this.#parts.lies.invented.values()) {
      const row = view.differences.find(executionKey({ ...trade, ...trade.fill }));
      if (trade.instrument !== instrument || row?.strategy !== strategy || row.actsAt === undefined) continue;
      certain -= away * (trade.side === 'buy' ? trade.fill.quantity : -trade.fill.quantity);
    }
    const left = (one: Order | undefined): number => (one === undefined ? 0 : one.quantity - one.cumulative);
    const live = view
      .openOrders(strategy, instrument)
      .filter((one) => one.side === side && one.clientOrderId !== id && one.margin === undefined)
      .filter(({ cancelPending, list }) => !cancelPending && list === undefined);
    // A replacement takes the place of its original: one of the two executes what is left.
    const ofPairs = new Map(live.map((one) => [one.replacePending, one]));
    const working = live
      .filter(({ replacePending }) => !live.some((one) => one.clientOrderId === replacePending))
      .reduce((sum, one) => sum + Math.max(left(one), left(ofPairs.get(one.clientOrderId))), 0);
    const closed = working + quantity;
    if (closed <= held && closed > Math.max(0, certain))
      this.#breach('I19', `order ${id} closes ${closed} lots of ${held}, of which ${certain} ever were`);
  }

  /** Of every symbol the larger of both directions, if all that works executes, at its best bid: so much it is worth at least. */
  #checkExposure({ clientOrderId: id, instrument, side, quantity }: OrderRequest, view: StateView): void {
    const { limits, instruments, state } = this.#parts;
    if (limits.exposureMax === undefined) return;
    let sum = 0;
    for (const one of instruments.all) {
      const net = state.orders.net(one.id);
      const long = net + state.orders.worst(one.id, 'buy').lots;
      const short = state.orders.worst(one.id, 'sell').lots - net;
      const exposed = Math.max(long, short, 0);
      const [own, other] = side === 'buy' ? [long, short] : [short, long];
      // What shrinks the exposure passes, however large the rest is.
      if (one.id === instrument && Math.max(own - quantity, other, 0) >= exposed) return;
      const { bestBid, bestAsk } = view.book(one.id);
      if (exposed === 0 || bestBid === undefined || bestAsk === undefined) continue;
      const price = Number(one.priceText(bestBid));
      sum += price * Number(one.quantityText(exposed as never));
    }
    if (sum > limits.exposureMax * valueMargin)
      this.#breach('I19', `order ${id} was admitted, and ${sum.toFixed(2)} USDT may be exposed`);
  }

  #replaces({ command }: ReplacePending, view: StateView): void {
    const { newClientOrderId: id, clientOrderId: original, quantity, price, stopPrice, strategy } = command;
    const { state, time, limits } = this.#parts;
    const now = time.now();
    this.#checkPause(id, strategy);
    if (this.#stopped.has(strategy))
      this.#breach('I7', `replacement ${id} of ${strategy}, which is stopped, was admitted`);
    const last = this.#replaced.get(original);
    for (const one of [original, id]) this.#replaced.set(one, now);
    if (last !== undefined && now - last < limits.replaceMsMin * 1_000 - 10_000)
      this.#breach('I19', `${original} is replaced ${(now - last) / 1_000} ms after it was replaced before`);
    const shown = view.order(id);
    if (shown?.state === 'pending' && (shown.price !== price || shown.quantity !== quantity))
      this.#breach('I6', `replacement ${id} at ${price} ticks is shown at ${shown.price}`);
    const known = state.orders.order(original);
    if (known === undefined) return;
    if (known.quantity === quantity && known.price === (price ?? 0) && stopPrice === undefined)
      this.#breach('I17', `replacement ${id} changes nothing of ${original}`);
    if (quantity <= known.cumulative)
      this.#breach(
        'I17',
        `replacement ${id} asks for ${quantity} lots, and ${known.cumulative} have executed`,
      );
  }

  #breach(invariant: string, why: string): void {
    this.#parts.breaches.add(invariant, why);
  }
}

/** What is wrong with the form of an order, in words. */
function malformed(request: OrderRequest, { tickStep, lotStep, spec }: Instrument): string | undefined {
  const { type, timeInForce, quantity, price, stopPrice, postOnly, margin, list } = request;
  const isRight = (value: number | undefined, step: number): boolean =>
    Number.isSafeInteger(value) && (value as number) > 0 && (value as number) % step === 0;
  if (margin?.closePosition === true) {
    if (type !== 'stopMarket' || (quantity as number) !== 0)
      return 'that closes a position and is of another kind';
  } else if (!isRight(quantity, lotStep)) return `for ${quantity} lots`;
  if (needsPrice(type) ? !isRight(price, tickStep) : price !== undefined)
    return `of type ${type} at ${price} ticks`;
  if (needsStopPrice(type) ? !isRight(stopPrice, tickStep) : stopPrice !== undefined)
    return `of type ${type} with the stop price ${stopPrice}`;
  const isBrief = timeInForce === 'IOC' || timeInForce === 'FOK';
  const isMarket = !needsPrice(type);
  if (isMarket && !isBrief && (list === undefined || type === 'market'))
    return `of type ${type} with ${timeInForce}`;
  if (postOnly && (isMarket || isBrief)) return `post-only with ${timeInForce}`;
  return spec.type === 'futures' && margin === undefined ? 'on spot, of a contract' : undefined;
}
