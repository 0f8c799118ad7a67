import type { Amount } from '../../core/base/amount.ts';
import { parseAmount } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/index.ts';
import type { Airdrop } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Refusal } from '../base/index.ts';
import { refuse } from '../base/index.ts';
import type { Deposits } from './deposits.ts';
import type { WalletContext } from './context.ts';

interface OwnedAirdrop extends Airdrop {
  readonly account: AccountId;
  readonly amount: Amount;
}

/** Airdrops, claimed or not. Shapes are ours: no source shows them (v3-gaps, section 14). */
export class Airdrops {
  readonly #context: WalletContext;
  readonly #deposits: Deposits;
  readonly #airdrops: OwnedAirdrop[];

  constructor(context: WalletContext, deposits: Deposits) {
    this.#context = context;
    this.#deposits = deposits;
    this.#airdrops = context.options.airdrops.map((airdrop, index) => ({
      account: context.accounts.get(airdrop.account).id,
      id: index + 1,
      currency: airdrop.currency,
      amount: parseAmount(airdrop.amount),
      description: airdrop.description,
      status: 'available',
      createdAt: context.now(),
      claimedAt: undefined,
      txId: undefined,
    }));
  }

  list(account: AccountId): readonly Airdrop[] {
    return this.#airdrops.filter((airdrop) => airdrop.account === account);
  }

  /** Pays a airdrop out, once; a second claim answers what the first did. */
  claim(account: AccountId, id: string): Airdrop | Refusal {
    const index = this.#airdrops.findIndex(
      (airdrop) => airdrop.account === account && String(airdrop.id) === id,
    );
    const airdrop = this.#airdrops[index];
    if (airdrop === undefined) return refuse(20_004, { description: 'there is no airdrop with that id' });
    if (airdrop.status === 'claimed') return airdrop;
    const paid = this.#deposits.credit(airdrop, 'AIRDROP', 'exchange');
    const claimed: OwnedAirdrop = {
      ...airdrop,
      status: 'claimed',
      claimedAt: this.#context.now(),
      txId: paid.native.txId,
    };
    this.#airdrops[index] = claimed;
    return claimed;
  }
}
