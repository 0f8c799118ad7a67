import type { Observable } from 'rxjs';
import type { Amount } from '../base/amount.ts';
import { add, negate, parseAmount, zero } from '../base/amount.ts';
import { withoutExponent } from '../base/exponent.ts';
import { BadInput } from '../base/errors.ts';
import type { MarginReported, Streams } from '../bus/index.ts';
import type { MarginDenied, MarginPending } from '../model/event.ts';
import type { Lots } from '../model/instrument.ts';
import type {
  MarginAccountKey,
  MarginAccountView,
  MarginChange,
  MarginMode,
  OpenMarginAccount,
  PositionView,
} from '../model/margin.ts';
import { isSameAccount, isSameChange, marginKeyOf } from '../model/margin.ts';
import type { ClientOrderId } from '../model/order.ts';
import type { AmountLike, CloseRequest, Margin, MarginSetting } from './context.ts';
import { refuseUnknown } from './known-keys.ts';
import type { OrderApi, OrderApiDeps } from './order-api.ts';
import { exactAmount } from './order-api.ts';
import { deepFreeze } from './params.ts';

export interface MarginApiDeps extends Pick<OrderApiDeps, 'strategy' | 'state' | 'running' | 'intend'> {
  readonly orders: OrderApi;
  readonly streams: Streams;
}

const setKeys: ReadonlySet<string> = new Set<keyof MarginSetting>(['balance', 'marginMode']);
const closeKeys: ReadonlySet<string> = new Set<keyof CloseRequest>(['marginMode', 'price']);
/** More changes without a verdict than any strategy asks for: one that asks in a loop. */
const askedMax = 1_000;

/** Margin accounts as one strategy sees them. What it asks for counts from the call on, although the verdict is on its way. */
export class MarginApi implements Margin {
  readonly #parts: MarginApiDeps;
  /** Changes of margin that this strategy asked for and that have no verdict, the oldest first. */
  readonly #asked: MarginChange[] = [];

  constructor(parts: MarginApiDeps) {
    this.#parts = parts;
  }

  account(symbol: string, mode: MarginMode = 'isolated'): MarginAccountView | undefined {
    return this.#parts.state.marginAccount(this.#keyOf(symbol, mode));
  }

  accounts(): readonly OpenMarginAccount[] {
    return this.#parts.state.marginAccounts();
  }

  position(symbol: string, mode: MarginMode = 'isolated'): PositionView | undefined {
    const { state } = this.#parts;
    return state.venuePosition(state.instruments.get(symbol).id, mode);
  }

  set(symbol: string, setting: MarginSetting): void {
    refuseUnknown(setting, setKeys, 'a change of margin');
    const balance = exactAmount(setting.balance, 'balance');
    this.#change(this.#keyOf(symbol, setting.marginMode ?? 'isolated'), { balance });
  }

  add(symbol: string, amount: AmountLike, mode: MarginMode = 'isolated'): void {
    this.#shift(symbol, exactAmount(amount, 'the margin to add'), mode);
  }

  remove(symbol: string, amount: AmountLike, mode: MarginMode = 'isolated'): void {
    this.#shift(symbol, negate(exactAmount(amount, 'the margin to remove')), mode);
  }

  setLeverage(symbol: string, leverage: number | string): void {
    this.#change(this.#keyOf(symbol, 'isolated'), {
      leverage: parseAmount(withoutExponent(String(leverage))),
    });
  }

  close(symbol: string, how: CloseRequest = {}): ClientOrderId {
    refuseUnknown(how, closeKeys, 'the closing of a position');
    const { state, strategy, orders } = this.#parts;
    const { marginMode = 'isolated', price } = how;
    const instrument = state.instruments.get(symbol);
    const { quantity } = state.position(instrument.id, strategy, marginMode);
    return orders.place({
      product: marginKeyOf(instrument, marginMode).product,
      marginMode,
      symbol,
      side: quantity > 0 ? 'sell' : 'buy',
      quantity: Math.abs(quantity) as Lots,
      reduceOnly: true,
      ...(price === undefined ? { timeInForce: 'IOC' } : { price }),
    });
  }

  accounts$(): Observable<MarginReported> {
    return this.#parts.streams.margin$();
  }

  /** A change that the strategy asked for has its verdict. */
  judged(event: MarginPending | MarginDenied): void {
    const { strategy, change } = event.kind === 'marginPending' ? event.command : event;
    if (strategy !== this.#parts.strategy) return;
    const at = this.#asked.findIndex((one) => isSameChange(one, change));
    if (at >= 0) this.#asked.splice(at, 1);
  }

  #keyOf(symbol: string, mode: MarginMode): MarginAccountKey {
    return marginKeyOf(this.#parts.state.instruments.get(symbol), mode);
  }

  /** A whole value: sent twice it changes nothing more. */
  #shift(symbol: string, amount: Amount, mode: MarginMode): void {
    const key = this.#keyOf(symbol, mode);
    this.#change(key, { balance: add(this.#balanceToBe(key), amount) });
  }

  /** The margin of an account once all that is on its way has come to pass. */
  #balanceToBe(key: MarginAccountKey): Amount {
    const { state } = this.#parts;
    const changes = [...state.marginChanges.map(({ change }) => change), ...this.#asked];
    const last = changes.findLast((change) => change.balance !== undefined && isSameAccount(change, key));
    return last?.balance ?? state.marginAccount(key)?.balance ?? zero;
  }

  #change(
    key: MarginAccountKey,
    { balance, leverage }: Partial<Pick<MarginChange, 'balance' | 'leverage'>>,
  ): void {
    const { strategy, running, intend } = this.#parts;
    if (!running()) return;
    if (this.#asked.length >= askedMax)
      throw new BadInput(
        `strategy ${strategy} asked for ${askedMax} changes of margin without waiting for a verdict`,
      );
    const change: MarginChange = deepFreeze({ ...key, balance, leverage });
    this.#asked.push(change);
    intend({ action: 'changeMargin', strategy, change });
  }
}
