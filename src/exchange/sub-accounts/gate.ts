import type { AccountId } from '../matching/command.ts';
import type { Account } from '../accounts.ts';
import type { Refusal } from '../refusal.ts';
import { refuse } from '../refusal.ts';
import type { WalletAction } from '../wallet/desk.ts';
import type { SubAccountRegistry } from './registry.ts';

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
