import type { Amount } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/index.ts';
import type { SubAccountBalances } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Core, Refusal, ExchangeAccount, Accounts, AccountOptions } from '../base/index.ts';
import type { MarginService } from '../margin/index.ts';
import { refuse, nonZeroBalances } from '../base/index.ts';
import type { SubAccountState } from './registry.ts';
import { SubAccountRegistry } from './registry.ts';
import { SubAccountWallet } from './wallet.ts';
import type { WalletAction, WalletService } from '../wallet/index.ts';
import type { Random } from '../../core/base/random.ts';

/** Sub-accounts that were asked for by id, or the first id that names none. */
type Picked = { readonly subs: readonly SubAccountState[] } | { readonly unknown: string };

/** How much of what. */
interface Money {
  readonly currency: string;
  readonly amount: Amount;
}

/** Which way money goes, seen from the super account. */
export type TransferDirection = 'toSub' | 'fromSub';

/** What a super account can do with its sub-accounts. Both versions word its answers themselves. */
export class SubAccountService {
  readonly registry: SubAccountRegistry;
  readonly #core: Core;
  readonly #wallet: SubAccountWallet;
  readonly #marginService: MarginService;

  constructor(setup: {
    readonly registry: SubAccountRegistry;
    readonly core: Core;
    readonly wallet: SubAccountWallet;
    readonly marginService: MarginService;
  }) {
    this.registry = setup.registry;
    this.#core = setup.core;
    this.#wallet = setup.wallet;
    this.#marginService = setup.marginService;
  }

  /** All that are named, each once, or none. */
  pick(parent: AccountId, ids: readonly string[]): Picked {
    const subs = new Set<SubAccountState>();
    for (const id of ids) {
      const sub = this.registry.find(parent, id);
      if (sub === undefined) return { unknown: id.slice(0, 40) };
      subs.add(sub);
    }
    return { subs: [...subs] };
  }

  /**
   * Cancels every order, closes positions at market, and takes the money of trading into the wallet. Margin of what
   * the book could not close stays where it is. Source: API v3, "Sub-account status".
   */
  freeze(sub: SubAccountState): void {
    const account = sub.account.id;
    sub.setStatus('frozen');
    this.#core.handle({ kind: 'cancelAll', account, instrument: undefined });
    for (const entry of [this.#marginService.margin, this.#marginService.futures]) entry.shutDown(account);
    this.#wallet.collectTrading(account);
  }

  /** Whether it may be used again: all but disabled ones. */
  activate(sub: SubAccountState): boolean {
    if (sub.status === 'disable') return false;
    sub.setStatus('active');
    return true;
  }

  /** Moves between the wallets of a sub-account and its super account; the id of the transaction of `caller`. */
  transfer(
    sub: SubAccountState,
    direction: TransferDirection,
    what: Money,
    caller: AccountId,
  ): string | Refusal {
    const [from, to] = direction === 'toSub' ? [sub.parent, sub.account] : [sub.account, sub.parent];
    return this.#wallet.move({ from: from.id, to: to.id, ...what }, caller);
  }

  /** Moves from one sub-account to another of the same super account; the id of the sender's transaction. */
  transferAcross(from: SubAccountState, to: SubAccountState, what: Money): string | Refusal {
    const { id } = from.account;
    return this.#wallet.move({ from: id, to: to.account.id, ...what }, id);
  }

  /** Of any status. */
  balances(sub: SubAccountState): SubAccountBalances {
    return {
      wallet: this.#wallet.balances(sub.account.id),
      spot: nonZeroBalances(this.#core, sub.account.id),
    };
  }

  address(sub: SubAccountState, currency: string, network: string | undefined) {
    return this.#wallet.address(sub.account.id, currency, network);
  }
}

/** What is refused to sub-accounts, on every app. */
export class SubAccountAccess {
  readonly #registry: SubAccountRegistry;

  constructor(registry: SubAccountRegistry) {
    this.#registry = registry;
  }

  /**
   * Why a key of this account does not serve: 10021 when it is frozen or disabled. A new one becomes active with
   * the first use of its key. Source: API v3, "Sub-account status"; v3-gaps, section 9.
   */
  admit(account: ExchangeAccount): Refusal | undefined {
    const sub = this.#registry.subAccountOf(account.id);
    if (sub === undefined) return undefined;
    if (sub.isBlocked) return refuse(10_021);
    if (sub.status === 'new') sub.setStatus('active');
    return undefined;
  }

  /** What the super account does not let it do with its wallet. Source: API v3, "Sub-account and ACL". */
  guardWallet(account: AccountId, action: WalletAction): Refusal | undefined {
    const sub = this.#registry.subAccountOf(account);
    if (sub === undefined || action === 'transfer') return undefined;
    if (sub.isBlocked) return refuse(10_021);
    const { withdrawEnabled, depositAddressGenerationEnabled } = sub.acl('hex');
    const allowed = action === 'withdraw' ? withdrawEnabled : depositAddressGenerationEnabled;
    return allowed ? undefined : refuse(403, { description: 'The super account does not allow it' });
  }
}

/** Sub-accounts as the options list them, joined to the wallet: its guard, and what moves their money. */
export function makeSubAccounts(setup: {
  accounts: Accounts;
  options: readonly AccountOptions[];
  core: Core;
  wallet: WalletService;
  marginService: MarginService;
  random: Random;
}): { subAccounts: SubAccountService; subAccountAccess: SubAccountAccess } {
  const { accounts, options, core, wallet, marginService, random } = setup;
  const registry = new SubAccountRegistry(accounts, options, random, core.now());
  const subAccountAccess = new SubAccountAccess(registry);
  wallet.context.guards.push((account, action) => subAccountAccess.guardWallet(account, action));
  return {
    subAccounts: new SubAccountService({
      registry,
      core,
      wallet: new SubAccountWallet(core, wallet),
      marginService,
    }),
    subAccountAccess,
  };
}
