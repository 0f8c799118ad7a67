import type { Amount } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/command.ts';
import type { SubAccountBalances } from '../../venues/hitbtc/wire/sub-accounts.ts';
import type { Core } from '../core.ts';
import type { MarginDesk } from '../margin/service.ts';
import type { Refusal } from '../refusal.ts';
import { refuse } from '../refusal.ts';
import { nonZeroBalances } from '../account-views.ts';
import type { SubAccountSeat } from './registry.ts';
import { SubAccountRegistry } from './registry.ts';
import { WalletSide } from './wallet-side.ts';
import type { Account, Accounts } from '../accounts.ts';
import type { WalletAction } from '../wallet/context.ts';
import type { Random } from '../../core/base/random.ts';
import type { AccountOptions } from '../options.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** Sub-accounts that were asked for by id, or the first id that names none. */
type Picked = { readonly seats: readonly SubAccountSeat[] } | { readonly unknown: string };

/** How much of what. */
interface Money {
  readonly currency: string;
  readonly amount: Amount;
}

/** Which way money goes, seen from the super account. */
export type Direction = 'toSub' | 'fromSub';

/** What a super account can do with its sub-accounts. Both versions word its answers themselves. */
export class SubAccountDesk {
  readonly registry: SubAccountRegistry;
  readonly #core: Core;
  readonly #wallet: WalletSide;
  readonly #marginDesk: MarginDesk;

  constructor(setup: {
    readonly registry: SubAccountRegistry;
    readonly core: Core;
    readonly wallet: WalletSide;
    readonly marginDesk: MarginDesk;
  }) {
    this.registry = setup.registry;
    this.#core = setup.core;
    this.#wallet = setup.wallet;
    this.#marginDesk = setup.marginDesk;
  }

  /** All that are named, each once, or none. */
  pick(parent: AccountId, ids: readonly string[]): Picked {
    const seats = new Set<SubAccountSeat>();
    for (const id of ids) {
      const seat = this.registry.find(parent, id);
      if (seat === undefined) return { unknown: id.slice(0, 40) };
      seats.add(seat);
    }
    return { seats: [...seats] };
  }

  /**
   * Cancels every order, closes positions at market, and takes the money of trading into the wallet. Margin of what
   * the book could not close stays where it is. Source: API v3, "Sub-account status".
   */
  freeze(seat: SubAccountSeat): void {
    const account = seat.account.id;
    seat.setStatus('frozen');
    this.#core.handle({ kind: 'cancelAll', account, instrument: undefined });
    for (const entry of [this.#marginDesk.margin, this.#marginDesk.futures]) entry.shutDown(account);
    this.#wallet.collectTrading(account);
  }

  /** Whether it may be used again: all but disabled ones. */
  activate(seat: SubAccountSeat): boolean {
    if (seat.status === 'disable') return false;
    seat.setStatus('active');
    return true;
  }

  /** Moves between the wallets of a sub-account and its super account; the id of the transaction of `caller`. */
  transfer(seat: SubAccountSeat, direction: Direction, what: Money, caller: AccountId): string | Refusal {
    const sub = seat.account.id;
    const parent = seat.parent.id;
    return direction === 'toSub'
      ? this.#wallet.move({ from: parent, to: sub, ...what }, caller)
      : this.#wallet.move({ from: sub, to: parent, ...what }, caller);
  }

  /** Moves from one sub-account to another of the same super account; the id of the sender's transaction. */
  transferAcross(from: SubAccountSeat, to: SubAccountSeat, what: Money): string | Refusal {
    const { id } = from.account;
    return this.#wallet.move({ from: id, to: to.account.id, ...what }, id);
  }

  /** Of any status. */
  balances(seat: SubAccountSeat): SubAccountBalances {
    return {
      wallet: this.#wallet.balances(seat.account.id),
      spot: nonZeroBalances(this.#core, seat.account.id),
    };
  }

  address(seat: SubAccountSeat, currency: string, network: string | undefined) {
    return this.#wallet.address(seat.account.id, currency, network);
  }
}

/** What is refused to sub-accounts, on every door. */
export class SubAccountGate {
  readonly #registry: SubAccountRegistry;

  constructor(registry: SubAccountRegistry) {
    this.#registry = registry;
  }

  /**
   * Why a key of this account does not serve: 10021 when it is frozen or disabled. A new one becomes active with
   * the first use of its key. Source: API v3, "Sub-account status"; v3-gaps, section 9.
   */
  admit(account: Account): Refusal | undefined {
    const seat = this.#registry.seatOf(account.id);
    if (seat === undefined) return undefined;
    if (seat.isOut) return refuse(10_021);
    if (seat.status === 'new') seat.setStatus('active');
    return undefined;
  }

  /** What the super account does not let it do with its wallet. Source: API v3, "Sub-account and ACL". */
  guardWallet(account: AccountId, action: WalletAction): Refusal | undefined {
    const seat = this.#registry.seatOf(account);
    if (seat === undefined || action === 'transfer') return undefined;
    if (seat.isOut) return refuse(10_021);
    const { withdrawEnabled, depositAddressGenerationEnabled } = seat.acl('hex');
    const allowed = action === 'withdraw' ? withdrawEnabled : depositAddressGenerationEnabled;
    return allowed ? undefined : refuse(403, { description: 'The super account does not allow it' });
  }
}

/** Sub-accounts as the options list them, joined to the wallet: its guard, and what moves their money. */
export function joinSubAccounts(setup: {
  accounts: Accounts;
  options: readonly AccountOptions[];
  core: Core;
  wallet: Wallet;
  marginDesk: MarginDesk;
  random: Random;
}): { subAccounts: SubAccountDesk; subAccountGate: SubAccountGate } {
  const { accounts, options, core, wallet, marginDesk, random } = setup;
  const registry = new SubAccountRegistry(accounts, options, random, core.now());
  const subAccountGate = new SubAccountGate(registry);
  wallet.desk.guards.push((account, action) => subAccountGate.guardWallet(account, action));
  return {
    subAccounts: new SubAccountDesk({ registry, core, wallet: new WalletSide(core, wallet), marginDesk }),
    subAccountGate,
  };
}
