import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, parseAmount, subtract, zero } from '../../core/base/amount.ts';
import type { Cancel, Micros } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { AccountId } from '../matching/index.ts';
import type {
  WithdrawParams,
  TransactionErrorCode,
  WalletTransaction,
} from '../../venues/hitbtc/wire/resources/index.ts';
import { currencyNotFound, Refusal, refuse, badAmount, networkNotFound } from '../base/index.ts';
import type { OwnedAddress } from './address-book.ts';
import { addressPattern, makeHash, paymentIdPattern } from './address-forms.ts';
import type { Deposits } from './deposits.ts';
import type { WalletContext } from './context.ts';
import type { Locks } from './locks.ts';
import type { Network } from './networks.ts';
import { fitsUnit } from './networks.ts';

const dayMs = 86_400_000;

/** A withdrawal that has been judged and may be made. */
interface Payout {
  readonly account: AccountId;
  readonly network: Network;
  readonly amount: Amount;
  readonly fee: Amount;
  /** Whose address it is when the money stays inside. */
  readonly inside: OwnedAddress | undefined;
}

interface Awaiting {
  readonly payout: Payout;
  readonly cancel: Cancel;
}

/** Withdrawals to addresses, in two phases or in one. Source: API v2, "Withdrawal with two-phase commit". */
export class Withdrawals {
  readonly #context: WalletContext;
  readonly #deposits: Deposits;
  readonly #locks: Locks;
  /** Made and neither committed nor rolled back, by identifier. */
  readonly #awaiting = new Map<string, Awaiting>();

  constructor(context: WalletContext, deposits: Deposits, locks: Locks) {
    this.#context = context;
    this.#deposits = deposits;
    this.#locks = locks;
  }

  /** Reserves the money and makes the transaction; it moves on once it is committed. */
  withdraw(account: AccountId, params: WithdrawParams): WalletTransaction | Refusal {
    const context = this.#context;
    const payout = this.#judge(account, params);
    if (payout instanceof Refusal) return payout;
    const { network, amount, fee, inside } = payout;
    if (!context.held.reserve(account, params.currency, add(amount, fee))) return refuse(20_001);
    context.addresses.use(account, {
      currency: params.currency,
      address: params.address,
      paymentId: params.paymentId,
      publicKey: undefined,
      networkCode: network.code,
    });
    const transaction = context.log.add({
      account,
      status: 'CREATED',
      type: 'WITHDRAW',
      subtype: inside === undefined ? 'BLOCKCHAIN' : 'OFFCHAIN',
      currency: params.currency,
      amount,
      native: {
        fee,
        address: params.address,
        paymentId: params.paymentId,
        publicComment: params.publicComment,
        networkCode: network.code,
      },
    });
    const { txId } = transaction.native;
    const cancel = context.after(millis(context.options.commitWithinMs), () => this.rollBack(account, txId));
    this.#awaiting.set(txId, { payout, cancel });
    if (params.autoCommit) this.commit(account, txId);
    context.notices.settle();
    return context.log.get(account, txId) ?? transaction;
  }

  /** Idempotent: what is committed already stays so. Source: API v2, "Both PUT and DELETE are idempotent". */
  commit(account: AccountId, txId: string): true | Refusal {
    const transaction = this.#find(account, txId);
    if (transaction === undefined) return refuse(20_005);
    const awaiting = this.#awaiting.get(txId);
    if (awaiting === undefined) return transaction.status === 'ROLLED_BACK' ? refuse(20_007) : true;
    awaiting.cancel();
    this.#awaiting.delete(txId);
    const { payout } = awaiting;
    this.#context.after(this.#context.delayWithin(this.#context.options.acceptMs), () =>
      this.#accept(payout, txId),
    );
    return true;
  }

  /** Idempotent as well; the money is available again. */
  rollBack(account: AccountId, txId: string): true | Refusal {
    const context = this.#context;
    const transaction = this.#find(account, txId);
    if (transaction === undefined) return refuse(20_005);
    const awaiting = this.#awaiting.get(txId);
    if (awaiting === undefined) return transaction.status === 'ROLLED_BACK' ? true : refuse(20_006);
    awaiting.cancel();
    this.#awaiting.delete(txId);
    const { network, amount, fee } = awaiting.payout;
    context.held.release(account, network.currency, add(amount, fee));
    context.log.change(account, txId, { status: 'ROLLED_BACK' });
    context.notices.settle();
    return true;
  }

  /** The fee of a withdrawal, or why there is none. */
  estimate(currency: string, networkCode: string | undefined): Amount | Refusal {
    const context = this.#context;
    if (context.currency(currency) === undefined) return currencyNotFound();
    const network = context.network(currency, networkCode);
    if (network !== undefined) return network.payoutFee;
    return networkCode === undefined ? refuse(20_018) : networkNotFound(networkCode);
  }

  #judge(account: AccountId, params: WithdrawParams): Payout | Refusal {
    const context = this.#context;
    const { currency, networkCode, address, paymentId, amount } = params;
    if (context.currency(currency) === undefined) return currencyNotFound();
    const network = context.network(currency, networkCode);
    if (network === undefined && networkCode !== undefined && context.networks(currency).length > 0) {
      return networkNotFound(networkCode);
    }
    const isOff = network?.payoutEnabled !== true || !context.options.chainWithdrawals;
    if (network === undefined || isOff) return refuse(20_018);
    const forbidden = context.refusalOf(account, 'withdraw');
    if (forbidden !== undefined) return forbidden;
    const wrong = addressFault(network, address, paymentId);
    if (wrong !== undefined) return refuse(20_011, { description: wrong });
    const inside = params.useOffchain === 'never' ? undefined : this.insider(address, currency, paymentId);
    if (inside === undefined && params.useOffchain === 'required') return refuse(20_014);
    const fee = inside === undefined ? network.payoutFee : zero;
    const sent = params.includeFee ? subtract(amount, fee) : amount;
    if (sent < network.payoutMinimum) {
      return badAmount(`Parameter must be at least ${formatAmount(network.payoutMinimum)}, the fee apart`);
    }
    if (!this.#locks.leaves(account, currency, add(sent, fee))) return refuse(20_001);
    if (this.#exceedsLimit(account, currency, sent)) return refuse(20_003);
    return { account, network, amount: sent, fee, inside };
  }

  /** The owner of an address of this exchange, where money may stay inside. Source: v3-gaps, "check-offchain-available". */
  insider(address: string, currency: string, paymentId: string | undefined): OwnedAddress | undefined {
    const { addresses, options } = this.#context;
    return options.offchain ? addresses.ownerOf(address, currency, paymentId) : undefined;
  }

  #exceedsLimit(account: AccountId, currency: string, amount: Amount): boolean {
    const { log, options } = this.#context;
    if (log.unfinished(account) >= options.pendingMax) return true;
    const limit = options.dailyLimits[currency];
    if (limit === undefined) return false;
    const since = (this.#context.now() - millis(dayMs)) as Micros;
    let total = amount;
    for (const { type, status, createdAt, native } of log.all(account)) {
      if (type !== 'WITHDRAW' || createdAt < since || native.currency !== currency) continue;
      if (status !== 'FAILED' && status !== 'ROLLED_BACK') total = add(total, native.amount);
    }
    return total > parseAmount(limit);
  }

  /** The network has it: from here on it shows a hash. */
  #accept(payout: Payout, txId: string): void {
    const context = this.#context;
    const { account, inside } = payout;
    const hash = inside === undefined ? makeHash(context.random) : undefined;
    context.log.change(account, txId, {
      status: 'PENDING',
      native: {
        hash,
        ...(hash === undefined
          ? { offchainId: context.log.newId() }
          : { attemptHashes: [hash], confirmations: 0 }),
      },
    });
    context.after(context.delayWithin(context.options.processMs), () => this.#finish(payout, txId, hash));
  }

  #finish(payout: Payout, txId: string, hash: string | undefined): void {
    const context = this.#context;
    const { account, network, amount, fee, inside } = payout;
    const { currency } = network;
    const errorCode = inside === undefined ? this.#faultOf(payout) : undefined;
    if (errorCode !== undefined) {
      context.held.release(account, currency, add(amount, fee));
      context.log.change(account, txId, { status: 'FAILED', native: { errorCode } });
      return;
    }
    context.held.spend(account, currency, add(amount, fee));
    context.count(currency, 'fees', fee);
    context.count(currency, 'sent', amount);
    const done = context.log.change(account, txId, {
      status: 'SUCCESS',
      ...(inside === undefined && { native: { confirmations: network.confirmations } }),
    });
    if (inside !== undefined) {
      this.#deposits.credit({ account: inside.account, currency, amount }, 'OFFCHAIN');
      return;
    }
    // What was sent to an address of this exchange comes back to it as any other deposit does.
    const owner = context.addresses.ownerOf(
      done?.native.address ?? '',
      currency,
      done?.native.paymentId ?? undefined,
    );
    if (owner !== undefined) {
      this.#deposits.receive({ account: owner.account, currency, amount, network: owner.networkCode, hash });
    }
  }

  /** Why the network fails a withdrawal: more decimals than it carries, or chance. */
  #faultOf({ network, amount }: Payout): TransactionErrorCode | undefined {
    const { random, options } = this.#context;
    if (!fitsUnit(amount, network.payoutMinimum)) return 'BAD_PRECISION';
    if (!random.chance(options.failureShare)) return undefined;
    return network.paymentId && random.chance(0.5) ? 'INVALID_PAYMENT_ID' : 'INVALID_ADDRESS';
  }

  #find(account: AccountId, txId: string): WalletTransaction | undefined {
    const transaction = this.#context.log.get(account, txId);
    const isPayout =
      transaction?.type === 'WITHDRAW' && transaction.native.address !== undefined ? transaction : undefined;
    return isPayout;
  }
}

function addressFault(network: Network, address: string, paymentId: string | undefined): string | undefined {
  if (!addressPattern(network.form).test(address))
    return `the address is none of the network ${network.code}`;
  if (paymentId === undefined) return undefined;
  if (!network.paymentId) return `the network ${network.code} knows no payment_id`;
  return paymentIdPattern.test(paymentId) ? undefined : 'the payment_id is not as expected';
}
