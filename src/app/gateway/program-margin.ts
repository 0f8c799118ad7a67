import { add, subtract, zero } from '../../core/base/amount.ts';
import type { Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { CommandSettled, Event } from '../../core/model/event.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type {
  MarginAccountKey,
  MarginAccountView,
  MarginChange,
  MarginMode,
  MarginReason,
  MarginReportType,
  PositionView,
} from '../../core/model/margin.ts';
import { isSameAccount, isSameChange, marginKeyOf, marginModes } from '../../core/model/margin.ts';
import type { MarginProductName } from '../../core/model/product.ts';
import type { StateView } from '../../core/state/index.ts';
import type { ProgramHost } from '../../core/strategy/framework.ts';
import { instrumentOf, isOfProduct, Refusal, refuse } from '../../exchange/base/index.ts';
import { closedPosition, leverageOf, marginTermsOf } from '../../exchange/margin/index.ts';
import type { MarginAccountParams } from '../../venues/hitbtc/wire/resources/index.ts';
import { deniedRefusal, noAnswer, venueRefusal } from './denials.ts';
import type { ProgramOrders } from './program-orders.ts';

export interface ProgramMarginDeps {
  readonly program: string;
  readonly clock: Clock;
  /** Milliseconds after which a request without an answer is answered with 504. */
  readonly answerMs: number;
  readonly orders: ProgramOrders;
  /** The host of the program, or why it sees nothing of that product now. */
  readonly reading: (product: MarginProductName) => ProgramHost | Refusal;
  /** The same, or why it may ask for nothing now. */
  readonly running: (product: MarginProductName) => ProgramHost | Refusal;
}

interface ChangeWait {
  readonly change: MarginChange;
  commandId: number | undefined;
  /** Report on the account that came since. */
  report: MarginAnswer | undefined;
  readonly answer: (answer: MarginAnswer | Refusal) => void;
}

/** A margin account after a change of it, and what the change was reported as. */
export interface MarginAnswer {
  readonly view: MarginAccountView;
  readonly reportType: MarginReportType;
  readonly reason: MarginReason;
}

/** Margin accounts as one program sees and changes them: those of the symbols that it trades. */
export class ProgramMargin {
  readonly #setup: ProgramMarginDeps;
  readonly #waits = new Set<ChangeWait>();

  constructor(setup: ProgramMarginDeps) {
    this.#setup = setup;
  }

  /** Accounts that are open, with the positions of all who trade the account. */
  accounts(product: MarginProductName): readonly MarginAccountView[] | Refusal {
    const host = this.#setup.reading(product);
    if (host instanceof Refusal) return host;
    return host.state
      .marginAccounts()
      .filter((one) => one.product === product)
      .flatMap(({ account }) => shownAccount(host, product, account) ?? []);
  }

  /** One account: that of a symbol (isolated) or of a currency (cross). */
  account(product: MarginProductName, mode: string, name: string): MarginAccountView | Refusal {
    const host = this.#setup.reading(product);
    if (host instanceof Refusal) return host;
    const key = keyOf(host.state, { product, mode, name });
    if (key instanceof Refusal) return key;
    const account = host.state.marginAccount(key);
    return (account && shownAccount(host, product, account)) ?? refuse(20_032);
  }

  /** Part of an account that the program may see; `undefined` where that is nothing. */
  shown(product: MarginProductName, account: MarginAccountView): MarginAccountView | undefined {
    const host = this.#setup.reading(product);
    return host instanceof Refusal ? undefined : shownAccount(host, product, account);
  }

  /** Opens an account, changes it, or closes it; answers it as it is then. Controls judge the change. */
  async setAccount(product: MarginProductName, params: MarginAccountParams): Promise<MarginAnswer | Refusal> {
    const host = this.#setup.running(product);
    if (host instanceof Refusal) return host;
    const key = keyOf(host.state, { product, mode: params.marginMode, name: params.instrument });
    if (key instanceof Refusal) return key;
    const instrument = key.instrument === undefined ? undefined : host.state.instruments.at(key.instrument);
    const terms = marginTermsOf(product, { mode: key.mode, instrument }, params);
    if (terms instanceof Refusal) return terms;
    return this.#ask(host, { ...key, ...terms });
  }

  /** Sets the leverage of the isolated account of a contract. */
  async setLeverage(symbol: string, leverage: string): Promise<MarginAnswer | Refusal> {
    const host = this.#setup.running('futures');
    if (host instanceof Refusal) return host;
    const instrument = instrumentOf(host.state.instruments, 'futures', symbol);
    if (instrument instanceof Refusal) return instrument;
    const read = leverageOf(instrument, leverage);
    if (read instanceof Refusal) return read;
    return this.#ask(host, { ...marginKeyOf(instrument, 'isolated'), balance: undefined, leverage: read });
  }

  /** Closes what the program holds of a position: at market, or at a price. Answers the position as it is then. */
  async close(
    product: MarginProductName,
    { mode, instrument }: { readonly mode: MarginMode; readonly instrument: Instrument },
    { price, strict }: { readonly price: string | undefined; readonly strict: boolean },
  ): Promise<PositionView | Refusal> {
    const { program, orders, running } = this.#setup;
    const host = running(product);
    if (host instanceof Refusal) return host;
    const { state } = host;
    const before = state.venuePosition(instrument.id, mode);
    const own = state.position(instrument.id, program, mode);
    if (before === undefined || own.quantity === 0) return refuse(20_032);
    const placed = await orders.place(product, {
      symbol: instrument.symbol,
      side: own.quantity > 0 ? 'sell' : 'buy',
      ...(price === undefined
        ? { type: 'market', timeInForce: 'IOC' }
        : { type: 'limit', timeInForce: 'GTC', price }),
      quantity: instrument.quantityText(Math.abs(own.quantity) as Lots),
      strictValidate: strict,
      postOnly: false,
      takeMarkup: zero,
      makeMarkup: zero,
      marginMode: mode,
      reduceOnly: true,
    });
    if (placed instanceof Refusal) return placed;
    const closed = instrument.quantityAmount(placed.cumulative);
    const quantity = own.quantity > 0 ? subtract(before.quantity, closed) : add(before.quantity, closed);
    const left = { ...before, quantity, updatedAt: placed.updatedAt };
    if (quantity !== zero) return left;
    const { realized, fees } = state.position(instrument.id, program, mode);
    return {
      ...closedPosition(left, placed.updatedAt),
      pnl: subtract(realized, own.realized),
      feeCumulative: add(before.feeCumulative, subtract(fees, own.fees)),
    };
  }

  /** Closes at market what the program holds of every position; answers them as they are then, or why one was not closed. */
  async closeAll(product: MarginProductName): Promise<readonly PositionView[] | Refusal> {
    const { program, running } = this.#setup;
    const host = running(product);
    if (host instanceof Refusal) return host;
    const { state } = host;
    const closed: PositionView[] = [];
    let refusal: Refusal | undefined;
    for (const { strategy, account: mode, instrument: id, quantity } of state.positions()) {
      if (strategy !== program || quantity === 0 || mode === 'spot') continue;
      const instrument = state.instruments.at(id);
      if (!isOfProduct(instrument, product)) continue;
      const done = await this.close(product, { mode, instrument }, { price: undefined, strict: false });
      if (done instanceof Refusal) refusal ??= done;
      else closed.push(done);
    }
    return refusal ?? closed;
  }

  event(event: Event): void {
    switch (event.kind) {
      case 'marginPending': {
        const { strategy, change, commandId } = event.command;
        const wait = strategy === this.#setup.program ? this.#find(change, 'asked') : undefined;
        if (wait !== undefined) wait.commandId = commandId;
        return;
      }
      case 'marginDenied':
        if (event.strategy === this.#setup.program)
          this.#find(event.change, 'asked')?.answer(deniedRefusal(event.denial));
        return;
      case 'marginRejected':
        if (event.strategy === this.#setup.program)
          this.#find(event.change, 'sent')?.answer(venueRefusal(event.code, event.why));
        return;
      case 'marginAccount':
        for (const wait of this.#waits)
          if (isSameAccount(wait.change, { product: event.product, ...event.account }))
            wait.report = { view: event.account, reportType: event.reportType, reason: event.reason };
        return;
      case 'commandSettled':
        return this.#settled(event);
      default:
    }
  }

  #settled({ commandId, outcome }: CommandSettled): void {
    for (const { commandId: id, change, report, answer } of this.#waits) {
      if (id !== commandId) continue;
      if (outcome === 'acknowledged') answer(report ?? this.#accountNow(change));
      else answer(outcome === 'limited' ? refuse(429) : noAnswer());
    }
  }

  #accountNow(change: MarginChange): MarginAnswer | Refusal {
    const host = this.#setup.reading(change.product);
    if (host instanceof Refusal) return host;
    const view = host.state.marginAccount(change);
    return view === undefined ? noAnswer() : { view, reportType: 'updated', reason: 'updated' };
  }

  /** The oldest wait for that change: one without a verdict yet (`asked`), or one that has left. */
  #find(change: MarginChange, stage: 'asked' | 'sent'): ChangeWait | undefined {
    for (const wait of this.#waits)
      if ((wait.commandId !== undefined) === (stage === 'sent') && isSameChange(wait.change, change))
        return wait;
    return undefined;
  }

  #ask(host: ProgramHost, change: MarginChange): Promise<MarginAnswer | Refusal> {
    const { clock, answerMs } = this.#setup;
    const { promise, resolve } = Promise.withResolvers<MarginAnswer | Refusal>();
    const wait: ChangeWait = {
      change,
      commandId: undefined,
      report: undefined,
      answer: (answer) => {
        cancel();
        this.#waits.delete(wait);
        resolve(answer);
      },
    };
    const cancel = clock.after(millis(answerMs), () => wait.answer(noAnswer()));
    this.#waits.add(wait);
    host.changeMargin(change);
    return promise;
  }
}

/** The account that a mode and a symbol or a currency name. */
function keyOf(
  { instruments }: StateView,
  {
    product,
    mode: word,
    name,
  }: { readonly product: MarginProductName; readonly mode: string; readonly name: string },
): MarginAccountKey | Refusal {
  const mode = marginModes.find((one) => one === word);
  if (mode === undefined) return refuse(2_024);
  if (mode === 'isolated') {
    const instrument = instrumentOf(instruments, product, name);
    return instrument instanceof Refusal ? instrument : marginKeyOf(instrument, mode);
  }
  const isKnown = instruments.all.some(({ spec }) => spec.quoteCurrency === name);
  return isKnown ? { product, mode, instrument: undefined, currency: name } : refuse(2_002);
}

/** An account with the positions of the symbols that the program trades; `undefined` where it is of none of them. */
function shownAccount(
  { state, feeds }: ProgramHost,
  product: MarginProductName,
  account: MarginAccountView,
): MarginAccountView | undefined {
  const traded = feeds
    .map(({ symbol }) => state.instruments.find(symbol))
    .filter((one) => one !== undefined && isOfProduct(one, product));
  const isOwn =
    account.mode === 'isolated'
      ? traded.some((one) => one?.id === account.instrument)
      : traded.some((one) => one?.spec.quoteCurrency === account.currency);
  if (!isOwn) return undefined;
  const ids = new Set(traded.map((one) => one?.id));
  return { ...account, positions: account.positions.filter(({ instrument }) => ids.has(instrument)) };
}
