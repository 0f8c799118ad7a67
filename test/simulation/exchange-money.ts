import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, negate, subtract, zero } from '../../src/core/base/amount.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import type { MarginAccountView, PositionAccount } from '../../src/core/model/margin.ts';
import { marginNameOf } from '../../src/core/model/margin.ts';
import type { Fill, Side } from '../../src/core/model/order.ts';
import type { MarginProductName } from '../../src/core/model/product.ts';
import type { ExchangeCommand } from '../../src/exchange/matching/accounts/command.ts';
import type { MarginOutcome, Outcome, ReportOutcome } from '../../src/exchange/matching/accounts/outcome.ts';
import { isFuturesAccount, isProductAccount } from '../../src/exchange/matching/accounts/command.ts';
import { accountAsRead, textOfAccount } from './check-margin.ts';
import type { SimExchange } from './sim-exchange.ts';
import { placeOf } from './traded.ts';

/** An execution of the account, as the exchange settled it. */
export interface ExchangeTrade {
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly clientOrderId: string;
  readonly account: PositionAccount;
  readonly fill: Fill;
  /** Of a margin account: what it realised, fee left out. */
  readonly pnl: Amount | undefined;
  /** Number among the executions of its position, from 1. */
  readonly number: number;
}

/** Funding or interest that the exchange took for one position. */
export interface ExchangeCharge {
  readonly place: string;
  /** Of the margin account. */
  readonly name: string;
  readonly amount: Amount;
  readonly elapsedMs: number;
}

/**
 * Record of what the exchange did with the money of the account, command by command: executions, charges, losses of liquidations that it
 * bore, and every state that a margin account had. Nothing in it comes from the trader or from what was reported to it.
 */
export class ExchangeMoney {
  /** By `keyOfTrade`. */
  readonly trades = new Map<string, ExchangeTrade>();
  /** By the account as it was afterwards: see `keyOfAccount`. */
  readonly charges = new Map<string, ExchangeCharge>();
  /** Sum of the losses that the exchange bore, in `marginCurrency`. */
  borne = zero;
  /** Executions in commands in which it bore some: what they cost, the account did not pay. By `keyOfTrade`. */
  readonly borneOf = new Set<string>();
  /** Executions beside which the wallet of futures paid what their account lacked. */
  readonly drawnOf = new Set<string>();
  /** What accounts drew on the wallet in commands that liquidated them: where nobody is informed of it, the venue seems to bear it. */
  readonly drawn: Amount[] = [];
  /** When margin was put into an account or taken out, its opening and closing counted in. */
  readonly marginMoves: { readonly name: string; readonly elapsedMs: number }[] = [];
  /** Every state that a margin account had, by its text. */
  readonly states = new Set<string>();
  /** Whether the account was open after what was to be reported of it: see `keyOfReport`. What looks alike and was both has both. */
  readonly reports = new Map<string, Set<boolean>>();
  /** Executions so far, by place. */
  readonly #counts = new Map<string, number>();
  readonly #exchange: SimExchange;
  readonly #elapsedMs: () => number;
  /** Margin accounts as the last command left them, by name. */
  #accounts: ReadonlyMap<string, MarginAccountView> = new Map();
  /** All that the account has of `marginCurrency`, wherever it lies. */
  #money: Amount;
  /** What of it lies in the wallet of futures. */
  #inWallet: Amount;
  /** Executions of the account in the command that is handled, and the margin accounts that it changed. */
  #now: ExchangeTrade[] = [];
  #moved: MarginOutcome[] = [];
  #isMoved = false;

  constructor(exchange: SimExchange, elapsedMs: () => number) {
    this.#exchange = exchange;
    this.#elapsedMs = elapsedMs;
    this.#money = this.#count();
    this.#inWallet = this.#wallet();
    const { core } = exchange.world;
    core.listen({
      onReport: (outcome) => this.#report(outcome),
      onBalance: ({ account }) => {
        this.#isMoved ||= exchange.accounts.includes(account);
      },
      onMargin: (outcome) => {
        if (exchange.accounts.includes(outcome.account)) this.#moved.push(outcome);
      },
      onSettled() {},
    });
    const handle = core.handle.bind(core);
    core.handle = (command): readonly Outcome[] => {
      const outcomes = handle(command);
      if (this.#isMoved || this.#moved.length > 0 || this.#now.length > 0) this.#settle(command);
      return outcomes;
    };
  }

  /** Margin accounts as they are now, by name. */
  get accounts(): ReadonlyMap<string, MarginAccountView> {
    return this.#accounts;
  }

  #report({ account: owner, reportType, order, fill, margin }: ReportOutcome): void {
    if (reportType !== 'trade' || fill === undefined || !this.#exchange.accounts.includes(owner)) return;
    const { instrument, side, clientOrderId } = order;
    const account: PositionAccount = margin?.mode ?? 'spot';
    const place = placeOf(instrument, account);
    const number = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, number);
    const { positionId, pnl } = margin ?? {};
    const placed = positionId === undefined ? fill : { ...fill, positionId };
    const trade = { instrument, side, clientOrderId, account, fill: placed, pnl, number };
    this.trades.set(keyOfTrade({ instrument, side, tradeId: fill.tradeId }), trade);
    this.#now.push(trade);
  }

  /** A command changed something of the account. */
  #settle(command: ExchangeCommand): void {
    let expected = this.#now.reduce((sum, trade) => add(sum, this.#flowOf(trade)), this.#money);
    if (this.#moved.length > 0) expected = subtract(expected, this.#follow(command));
    const wallet = this.#wallet();
    const isSpent = this.#moved.some(({ reason, account: owner, view }) => {
      const name = isFuturesAccount(owner) ? nameOfAccount('futures', view) : undefined;
      return reason === 'marginChanged' && name !== undefined && !this.#accounts.has(name);
    });
    if (this.#now.length > 0 && isSpent && wallet < this.#inWallet) {
      this.drawn.push(subtract(this.#inWallet, wallet));
      this.#noteLosses(this.drawnOf);
    }
    this.#inWallet = wallet;
    this.#money = this.#count();
    const hasMargin = this.#now.some(({ account }) => account !== 'spot');
    if (hasMargin && this.#money > expected) {
      this.borne = add(this.borne, subtract(this.#money, expected));
      this.#noteLosses(this.borneOf);
    }
    this.#now = [];
    this.#moved = [];
    this.#isMoved = false;
  }

  /** The executions of margin accounts in the command that is handled used up more than an account held. */
  #noteLosses(keys: Set<string>): void {
    for (const { instrument, side, account, fill } of this.#now)
      if (account !== 'spot') keys.add(keyOfTrade({ instrument, side, tradeId: fill.tradeId }));
  }

  /** Takes over what margin accounts have become. Returns what was charged. */
  #follow(command: ExchangeCommand): Amount {
    const before = this.#accounts;
    this.#accounts = this.#read();
    const taken = new Map<string, MarginAccountView[]>();
    let charged = zero;
    for (const { account: owner, view, reportType, reason } of this.#moved) {
      const account = accountAsRead(this.#exchange, view);
      const name = nameOfAccount(isFuturesAccount(owner) ? 'futures' : 'margin', account);
      const text = textOfAccount(name, account);
      this.states.add(text);
      const key = keyOfReport({ text, reportType, reason });
      const known = this.reports.get(key) ?? new Set();
      this.reports.set(key, known.add(reportType !== 'closed' || this.#accounts.has(name)));
      const former = before.get(name);
      if (reason !== 'interestTaken' && this.#now.length === 0 && former?.balance !== view.balance)
        this.marginMoves.push({ name, elapsedMs: this.#elapsedMs() });
      if (reason !== 'interestTaken' || former === undefined) continue;
      const so = taken.get(name) ?? [];
      const place =
        command.kind === 'settleFunding' ? command.instrument : view.positions[so.length]?.instrument;
      const last = so.at(-1) ?? former;
      taken.set(name, [...so, view]);
      charged = add(charged, subtract(last.balance, view.balance));
      const amount = subtract(accountAsRead(this.#exchange, last).balance, account.balance);
      if (place !== undefined) this.#charge(account, { place: placeOf(place, account.mode), name, amount });
    }
    return charged;
  }

  #charge(account: MarginAccountView, charge: Omit<ExchangeCharge, 'elapsedMs'>): void {
    this.charges.set(keyOfAccount(charge.name, account), { ...charge, elapsedMs: this.#elapsedMs() });
  }

  /** What an execution brought of `marginCurrency`. */
  #flowOf({ instrument, side, account, fill, pnl }: ExchangeTrade): Amount {
    const { price, quantity, fee } = fill;
    if (account !== 'spot') return subtract(pnl ?? zero, fee);
    const grid = this.#exchange.world.core.instruments.at(instrument);
    const worth = grid.notional(price, quantity);
    const flow = side === 'buy' ? negate(worth) : worth;
    return grid.spec.feeCurrency === marginCurrency ? subtract(flow, fee) : flow;
  }

  #wallet(): Amount {
    const owner = this.#exchange.accounts.find(isFuturesAccount);
    const own = owner === undefined ? [] : this.#exchange.world.core.exchange.balances(owner);
    const { available, reserved } = own.find(({ currency }) => currency === marginCurrency) ?? {};
    return add(available ?? zero, reserved ?? zero);
  }

  #count(): Amount {
    const { exchange } = this.#exchange.world.core;
    return sumOf(
      this.#exchange.accounts.flatMap((owner) => [
        ...exchange
          .balances(owner)
          .flatMap(({ currency, available, reserved }) =>
            currency === marginCurrency ? [available, reserved] : [],
          ),
        ...exchange.marginAccounts(owner).map(({ balance }) => balance),
      ]),
    );
  }

  #read(): ReadonlyMap<string, MarginAccountView> {
    const { exchange } = this.#exchange.world.core;
    return new Map(
      this.#exchange.accounts.filter(isProductAccount).flatMap((owner) =>
        exchange.marginAccounts(owner).map((account) => {
          const product = isFuturesAccount(owner) ? 'futures' : 'margin';
          return [nameOfAccount(product, account), account] as const;
        }),
      ),
    );
  }
}

/** Currency of every margin account of the simulation. */
const marginCurrency = 'USDT';

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce((sum, amount) => add(sum, amount), zero);
}

/** Names an execution: one with oneself has one number and two sides. */
export function keyOfTrade({
  instrument,
  side,
  tradeId,
}: {
  readonly instrument: number;
  readonly side: Side;
  readonly tradeId: string;
}): string {
  return `${instrument}/${side}/${tradeId}`;
}

export function nameOfAccount(product: MarginProductName, account: MarginAccountView): string {
  return marginNameOf({ product, ...account });
}

export function keyOfReport({
  text,
  reportType,
  reason,
}: Pick<MarginOutcome, 'reportType' | 'reason'> & { readonly text: string }): string {
  return `${reportType} ${reason} ${text}`;
}

/** Names a margin account as a charge left it. */
export function keyOfAccount(name: string, { balance, updatedAt }: MarginAccountView): string {
  return `${name} ${formatAmount(balance)} at ${updatedAt}`;
}
