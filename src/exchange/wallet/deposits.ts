import type { Amount } from '../../core/base/amount.ts';
import { BadInput } from '../../core/base/errors.ts';
import { micros } from '../../core/base/clock.ts';
import type { AccountId } from '../matching/command.ts';
import type {
  CommitRisk,
  TransactionSubtype,
  WalletTransaction,
} from '../../venues/hitbtc/wire/wallet-transaction.ts';
import { makeAddress, makeHash } from './address-forms.ts';
import type { WalletDesk } from './context.ts';
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

/** Money that comes in: from networks, with confirmations; and gifts of the exchange itself. */
export class Deposits {
  readonly #desk: WalletDesk;

  constructor(desk: WalletDesk) {
    this.#desk = desk;
  }

  /**
   * A deposit seen on a network: pending without confirmations; each block brings one, and the last one needed
   * credits it. Throws `BadInput` when the currency has no such network.
   */
  receive(deposit: IncomingDeposit): WalletTransaction {
    const desk = this.#desk;
    const { account, currency, amount } = deposit;
    const network = desk.network(currency, deposit.network);
    if (network === undefined) {
      throw new BadInput(`there is no network ${deposit.network ?? 'at all'} of ${currency} to deposit from`);
    }
    if (amount <= 0n) throw new BadInput('expected a deposit above zero');
    const dice = desk.random;
    const address = desk.addresses.current(account, network);
    const transaction = desk.log.add({
      account,
      status: 'PENDING',
      type: 'DEPOSIT',
      subtype: 'BLOCKCHAIN',
      currency,
      amount,
      commitRisk: { score: 100, rbf: dice.chance(0.1), lowFee: dice.chance(0.1) },
      native: {
        address: address?.address,
        paymentId: address?.paymentId,
        hash: deposit.hash ?? makeHash(dice),
        confirmations: 0,
        senders: deposit.senders ?? [makeAddress(network.form, dice)],
        networkCode: network.code,
      },
    });
    desk.notices.settle();
    this.#awaitBlock({ account, network, transaction, confirmations: 1 });
    return transaction;
  }

  /** A deposit that was confirmed before anybody looked. */
  open(deposit: IncomingDeposit): void {
    const desk = this.#desk;
    const network = desk.network(deposit.currency, deposit.network);
    const address = network && desk.addresses.current(deposit.account, network);
    desk.log.add({
      ...deposit,
      status: 'SUCCESS',
      type: 'DEPOSIT',
      subtype: network === undefined ? 'FIAT' : 'BLOCKCHAIN',
      ...(network && { commitRisk: { score: 0, rbf: false, lowFee: false } }),
      native: {
        address: address?.address,
        paymentId: address?.paymentId,
        ...(network && { hash: makeHash(desk.random), confirmations: network.confirmations }),
        networkCode: network?.code,
      },
    });
    desk.ledger.deposit(deposit.account, deposit.currency, deposit.amount);
    desk.count(deposit.currency, 'received', deposit.amount);
  }

  /** Money that arrives at once: from a provider, a gift, an interest. `source` says who pays. */
  credit(
    deposit: IncomingDeposit,
    subtype: TransactionSubtype,
    source: 'outside' | 'exchange' = 'outside',
  ): WalletTransaction {
    const desk = this.#desk;
    const { account, currency, amount } = deposit;
    desk.ledger.deposit(account, currency, amount);
    if (source === 'outside') desk.count(currency, 'received', amount);
    else desk.count(currency, 'kept', -amount as Amount);
    const transaction = desk.log.add({
      account,
      status: 'SUCCESS',
      type: 'DEPOSIT',
      subtype,
      currency,
      amount,
      native: { hash: deposit.hash, networkCode: deposit.network },
    });
    desk.notices.settle();
    return transaction;
  }

  #awaitBlock(next: {
    account: AccountId;
    network: Network;
    transaction: WalletTransaction;
    confirmations: number;
  }): void {
    const { account, network, transaction, confirmations } = next;
    const desk = this.#desk;
    // Blocks come at random, but neither at once nor never.
    const wait = Math.min(4, Math.max(0.05, desk.random.exponential(1))) * network.blockMs;
    desk.after(micros(Math.round(wait * 1_000)), () => {
      const { txId, currency, amount } = transaction.native;
      const done = confirmations >= network.confirmations;
      if (done) {
        desk.ledger.deposit(account, currency, amount);
        desk.count(currency, 'received', amount);
      }
      desk.log.change(account, txId, {
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
