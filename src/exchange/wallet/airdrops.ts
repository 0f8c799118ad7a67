import type { Amount } from '../../core/base/amount.ts';
import { parseAmount } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/command.ts';
import type { Airdrop } from '../../venues/hitbtc/wire/airdrop.ts';
import type { Refusal } from '../refusal.ts';
import { refuse } from '../refusal.ts';
import type { Deposits } from './deposits.ts';
import type { WalletDesk } from './context.ts';

interface Gift extends Airdrop {
  readonly account: AccountId;
  readonly amount: Amount;
}

/** Gifts that wait to be claimed. Shapes are ours: no source shows them (v3-gaps, section 14). */
export class Airdrops {
  readonly #desk: WalletDesk;
  readonly #deposits: Deposits;
  readonly #gifts: Gift[];

  constructor(desk: WalletDesk, deposits: Deposits) {
    this.#desk = desk;
    this.#deposits = deposits;
    this.#gifts = desk.options.airdrops.map((gift, index) => ({
      account: desk.accounts.get(gift.account).id,
      id: index + 1,
      currency: gift.currency,
      amount: parseAmount(gift.amount),
      description: gift.description,
      status: 'available',
      createdAt: desk.now(),
      claimedAt: undefined,
      txId: undefined,
    }));
  }

  list(account: AccountId): readonly Airdrop[] {
    return this.#gifts.filter((gift) => gift.account === account);
  }

  /** Pays a gift out, once; a second claim answers what the first did. */
  claim(account: AccountId, id: string): Airdrop | Refusal {
    const index = this.#gifts.findIndex((gift) => gift.account === account && String(gift.id) === id);
    const gift = this.#gifts[index];
    if (gift === undefined) return refuse(20_004, { description: 'there is no airdrop with that id' });
    if (gift.status === 'claimed') return gift;
    const paid = this.#deposits.credit(gift, 'AIRDROP', 'exchange');
    const claimed: Gift = {
      ...gift,
      status: 'claimed',
      claimedAt: this.#desk.now(),
      txId: paid.native.txId,
    };
    this.#gifts[index] = claimed;
    return claimed;
  }
}
