import type { Amount } from '../../core/base/amount.ts';
import { BadInput } from '../../core/base/errors.ts';
import { micros } from '../../core/base/clock.ts';
import type { AccountId } from '../matching/index.ts';
import type {
  CommitRisk,
  TransactionSubtype,
  WalletTransaction,
} from '../../venues/hitbtc/wire/resources/index.ts';
import { makeAddress, makeHash } from './address-forms.ts';
import type { WalletContext } from './context.ts';
import type { Network } from './networks.ts';

/** A deposit that comes in from a network. */
export interface IncomingDeposit {
  readonly account: AccountId;
  readonly currency: string;
  readonly amount: Amount;
  /** The default one of the currency when missing. */
  readonly network?: string | undefined;
  /** Made up when missing. */
  readonly hash?: string | undefined;
  readonly senders?: readonly string[] | undefined;
}

/** Money that comes in: from networks, with confirmations; and airdrops of the exchange itself. */
export class Deposits {
  readonly #context: WalletContext;

  constructor(context: WalletContext) {
    this.#context = context;
  }

  /**
   * A deposit seen on a network: pending without confirmations; each block brings one, and the last one needed
   * credits it. Throws `BadInput` when the currency has no such network.
   */
  receive(deposit: IncomingDeposit): WalletTransaction {
    const context = this.#context;
    const { account, currency, amount } = deposit;
    const network = context.network(currency, deposit.network);
    if (network === undefined) {
      throw new BadInput(`there is no network ${deposit.network ?? 'at all'} of ${currency} to deposit from`);
    }
    if (amount <= 0n) throw new BadInput('expected a deposit above zero');
    const random = context.random;
    const address = context.addresses.current(account, network);
    const transaction = context.log.add({
      account,
      status: 'PENDING',
      type: 'DEPOSIT',
      subtype: 'BLOCKCHAIN',
      currency,
      amount,
      commitRisk: { score: 100, rbf: random.chance(0.1), lowFee: random.chance(0.1) },
      native: {
        address: address?.address,
        paymentId: address?.paymentId,
        hash: deposit.hash ?? makeHash(random),
        confirmations: 0,
        senders: deposit.senders ?? [makeAddress(network.form, random)],
        networkCode: network.code,
      },
    });
    context.notices.settle();
    this.#awaitBlock({ account, network, transaction, confirmations: 1 });
    return transaction;
  }

  /** A deposit that was confirmed before the exchange opened. */
  open(deposit: IncomingDeposit): void {
    const context = this.#context;
    const network = context.network(deposit.currency, deposit.network);
    const address = network && context.addresses.current(deposit.account, network);
    context.log.add({
      ...deposit,
      status: 'SUCCESS',
      type: 'DEPOSIT',
      subtype: network === undefined ? 'FIAT' : 'BLOCKCHAIN',
      ...(network && { commitRisk: { score: 0, rbf: false, lowFee: false } }),
      native: {
        address: address?.address,
        paymentId: address?.paymentId,
        ...(network && { hash: makeHash(context.random), confirmations: network.confirmations }),
        networkCode: network?.code,
      },
    });
    context.held.deposit(deposit.account, deposit.currency, deposit.amount);
    context.count(deposit.currency, 'received', deposit.amount);
  }

  /** Money that arrives at once: from a provider, an airdrop, an interest. `source` says who pays. */
  credit(
    deposit: IncomingDeposit,
    subtype: TransactionSubtype,
    source: 'outside' | 'exchange' = 'outside',
  ): WalletTransaction {
    const context = this.#context;
    const { account, currency, amount } = deposit;
    context.held.deposit(account, currency, amount);
    if (source === 'outside') context.count(currency, 'received', amount);
    else context.count(currency, 'kept', -amount as Amount);
    const transaction = context.log.add({
      account,
      status: 'SUCCESS',
      type: 'DEPOSIT',
      subtype,
      currency,
      amount,
      native: { hash: deposit.hash, networkCode: deposit.network },
    });
    context.notices.settle();
    return transaction;
  }

  #awaitBlock(next: {
    account: AccountId;
    network: Network;
    transaction: WalletTransaction;
    confirmations: number;
  }): void {
    const { account, network, transaction, confirmations } = next;
    const context = this.#context;
    // Blocks come at random, but neither at once nor never.
    const wait = Math.min(4, Math.max(0.05, context.random.exponential(1))) * network.blockMs;
    context.after(micros(Math.round(wait * 1_000)), () => {
      const { txId, currency, amount } = transaction.native;
      const done = confirmations >= network.confirmations;
      if (done) {
        context.held.deposit(account, currency, amount);
        context.count(currency, 'received', amount);
      }
      context.log.change(account, txId, {
        ...(done && { status: 'SUCCESS' as const }),
        commitRisk: riskAt(transaction.commitRisk, confirmations / network.confirmations),
        native: { confirmations },
      });
      if (!done) this.#awaitBlock({ account, network, transaction, confirmations: confirmations + 1 });
    });
  }
}

/** The score falls non-linearly as confirmations grow; what is in a block is not replaced. Source: API v2, "CommitRisk". */
function riskAt(risk: CommitRisk | undefined, part: number): CommitRisk {
  const left = Math.max(0, 1 - part);
  return { score: Math.floor(100 * left * left), rbf: false, lowFee: risk?.lowFee ?? false };
}
