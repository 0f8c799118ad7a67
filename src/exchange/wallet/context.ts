import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { AccountId } from '../matching/index.ts';
import type { Accounts, Core, CurrencyOptions, Refusal } from '../base/index.ts';
import { AddressBook } from './address-book.ts';
import { HeldBalances } from './held-balances.ts';
import type { Network } from './networks.ts';
import { networksOf } from './networks.ts';
import { WalletNotices } from './notices.ts';
import type { WalletOptions } from './options.ts';
import { TransactionLog } from './transactions.ts';
import { futuresAccountOf } from '../matching/index.ts';

/** An operation that a guard may forbid an account (a frozen sub-account, its access list). */
export type WalletAction = 'withdraw' | 'makeAddress' | 'transfer';
type WalletGuard = (account: AccountId, action: WalletAction) => Refusal | undefined;

/** Where money of a currency came into the wallets and went out of them. */
interface WalletFlow {
  /** Arrived from networks. */
  received: Amount;
  /** Left to networks. */
  sent: Amount;
  /** Kept by the exchange as fees. */
  fees: Amount;
  /** Kept by the exchange otherwise: what swaps took less what swaps and gifts gave. */
  kept: Amount;
}

export interface WalletDeps {
  readonly core: Core;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly random: Random;
  readonly currencies: readonly CurrencyOptions[];
  readonly options: WalletOptions;
}

/** What all operations of the wallet work on. */
export class WalletContext {
  readonly core: Core;
  readonly accounts: Accounts;
  readonly options: WalletOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly notices = new WalletNotices();
  readonly held: HeldBalances;
  /** Money for derivatives: moved there and back by transfers. */
  readonly derivatives: Derivatives;
  readonly log: TransactionLog;
  readonly addresses: AddressBook;
  readonly guards: WalletGuard[] = [];
  readonly #currencies: ReadonlyMap<string, CurrencyOptions>;
  readonly #networks: ReadonlyMap<string, readonly Network[]>;
  readonly #flows = new Map<string, WalletFlow>();
  readonly #timers = new Set<Cancel>();

  constructor(setup: WalletDeps) {
    this.core = setup.core;
    this.derivatives = new Derivatives(setup.core, setup.accounts);
    this.accounts = setup.accounts;
    this.options = setup.options;
    this.clock = setup.clock;
    this.random = setup.random.fork('delays');
    this.held = new HeldBalances((account, currency) => this.notices.balanceChanged(account, currency));
    this.log = new TransactionLog({
      clock: setup.clock,
      random: setup.random.fork('ids'),
      max: setup.options.transactionsMax,
      onChange: (account, transaction) => this.notices.transactionChanged(account, transaction),
    });
    this.addresses = new AddressBook(setup.random.fork('addresses'), setup.options.addressesMax);
    this.#currencies = new Map(setup.currencies.map((currency) => [currency.code, currency]));
    this.#networks = new Map(setup.currencies.map((currency) => [currency.code, networksOf(currency)]));
  }

  now(): Micros {
    return this.clock.now();
  }

  currency(code: string): CurrencyOptions | undefined {
    return this.#currencies.get(code);
  }

  get currencyCodes(): readonly string[] {
    return [...this.#currencies.keys()];
  }

  /** The networks of a currency, the default one first. */
  networks(currency: string): readonly Network[] {
    return this.#networks.get(currency) ?? [];
  }

  /** The network of that code, or the default one; undefined when there is none. */
  network(currency: string, code: string | undefined): Network | undefined {
    const networks = this.networks(currency);
    return code === undefined ? networks[0] : networks.find((network) => network.code === code);
  }

  /** Why the account may not do it, if so. */
  refusalOf(account: AccountId, action: WalletAction): Refusal | undefined {
    for (const guard of this.guards) {
      const refusal = guard(account, action);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  flow(currency: string): WalletFlow {
    let flow = this.#flows.get(currency);
    if (flow === undefined) {
      flow = { received: zero, sent: zero, fees: zero, kept: zero };
      this.#flows.set(currency, flow);
    }
    return flow;
  }

  count(currency: string, name: keyof WalletFlow, amount: Amount): void {
    const flow = this.flow(currency);
    flow[name] = add(flow[name], amount);
  }

  /** A random delay between the two ends, in milliseconds. */
  delayWithin([low, high]: readonly [number, number]): Micros {
    return millis(this.random.between(Math.min(low, high), Math.max(low, high)));
  }

  /** Runs a step of an operation later, then notifies of the balances it changed. Ends with `stop`. */
  after(delay: Micros, step: () => void): Cancel {
    const cancel = this.clock.after(delay, () => {
      this.#timers.delete(ended);
      step();
      this.notices.settle();
    });
    const ended = (): void => {
      cancel();
      this.#timers.delete(ended);
    };
    this.#timers.add(ended);
    return ended;
  }

  stop(): void {
    for (const cancel of this.#timers) cancel();
  }
}

/** Money for derivatives: it lies in the futures product account, from which the margin of contracts is taken. */
class Derivatives {
  readonly #core: Core;
  readonly #accounts: Accounts;

  constructor(core: Core, accounts: Accounts) {
    this.#core = core;
    this.#accounts = accounts;
  }

  /** Adds `change` (it may be negative); false, and nothing is done, if what is available would go below zero. */
  deposit(account: AccountId, currency: string, change: Amount): boolean {
    const owner = futuresAccountOf(account);
    const outcomes = this.#core.handle({ kind: 'adjustBalance', account: owner, currency, change });
    return outcomes.every(({ kind }) => kind !== 'refused');
  }

  /** What all accounts have of a currency, margin included. */
  total(currency: string): Amount {
    const { exchange } = this.#core;
    let sum = zero;
    for (const { id } of this.#accounts.all) {
      const { available, reserved } = exchange.balance(futuresAccountOf(id), currency);
      sum = add(sum, add(available, reserved));
      for (const view of exchange.marginAccounts(futuresAccountOf(id)))
        if (view.currency === currency) sum = add(sum, view.balance);
    }
    return sum;
  }
}
