import type { Amount } from '../../core/base/amount.ts';
import { multiply, negate, parseAmount } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/index.ts';
import type {
  ConvertParams,
  TransferParams,
  TransferPlace,
  TransactionSubtype,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { Rates } from '../market/rates.ts';
import { badParameter, currencyNotFound, Refusal, refuse, badAmount } from '../base/index.ts';
import type { WalletContext } from './context.ts';
import { writtenDecimals, fitsUnit } from './networks.ts';

/** Answers to swaps remembered by their key, per account. */
const answersMax = 1_000;

const subtypes: Readonly<Record<string, TransactionSubtype>> = {
  'wallet spot': 'WALLET_TO_SPOT',
  'spot wallet': 'SPOT_TO_WALLET',
  'wallet derivatives': 'WALLET_TO_DERIVATIVES',
  'derivatives wallet': 'DERIVATIVES_TO_WALLET',
};

/** Money that moves between the places of one account, from one currency into another, or between accounts. */
export class Transfers {
  readonly #context: WalletContext;
  readonly #rates: Rates;
  readonly #answers = new Map<string, readonly string[]>();

  constructor(context: WalletContext, rates: Rates) {
    this.#context = context;
    this.#rates = rates;
  }

  /** Moves all or nothing; answers the identifier of the transaction. Source: v3-gaps, section 6. */
  transfer(account: AccountId, params: TransferParams): string | Refusal {
    const context = this.#context;
    const { currency, amount, source, destination } = params;
    const unit = this.#unit(currency);
    if (unit === undefined) return currencyNotFound();
    if (!fitsUnit(amount, unit))
      return badAmount(`Parameter has more than ${writtenDecimals(unit)} decimals`);
    if (source === destination) return badParameter('destination', 'Parameter must differ from source');
    const forbidden = this.#transferOff(currency, destination) ?? context.refusalOf(account, 'transfer');
    if (forbidden !== undefined) return forbidden;
    if (!this.#changeBalance(account, source, currency, negate(amount))) return refuse(20_001);
    // Adding cannot fail, so that nothing is ever between two places.
    this.#changeBalance(account, destination, currency, amount);
    const transaction = context.log.add({
      account,
      status: 'SUCCESS',
      type: 'TRANSFER',
      subtype: subtypes[`${source} ${destination}`] ?? 'UNCLASSIFIED',
      currency,
      amount,
    });
    context.notices.settle();
    return transaction.native.txId;
  }

  /** Swaps at the present rate, cut to what the new currency can be moved in; both identifiers, out and in. */
  convert(account: AccountId, params: ConvertParams): readonly string[] | Refusal {
    const { idempotencyKey } = params;
    const key = idempotencyKey === undefined ? undefined : `${account} ${idempotencyKey}`;
    const answer = key === undefined ? undefined : this.#answers.get(key);
    if (answer !== undefined) return answer;
    const result = this.#swap(account, params);
    if (key !== undefined && !(result instanceof Refusal)) {
      this.#answers.set(key, result);
      if (this.#answers.size > answersMax) this.#answers.delete(this.#answers.keys().next().value ?? '');
    }
    return result;
  }

  /** Moves between the wallets of two accounts; the identifier of the payer's transaction. */
  moveFunds(move: { from: AccountId; to: AccountId; currency: string; amount: Amount }): string | Refusal {
    const context = this.#context;
    const { from, to, currency, amount } = move;
    const unit = this.#unit(currency);
    if (unit === undefined) return currencyNotFound();
    if (!fitsUnit(amount, unit))
      return badAmount(`Parameter has more than ${writtenDecimals(unit)} decimals`);
    if (!context.held.deposit(from, currency, negate(amount))) return refuse(20_001);
    context.held.deposit(to, currency, amount);
    const paid = context.log.add({
      account: from,
      status: 'SUCCESS',
      type: 'WITHDRAW',
      subtype: 'OFFCHAIN',
      currency,
      amount,
      native: { offchainId: context.log.newId() },
    });
    context.log.add({
      account: to,
      status: 'SUCCESS',
      type: 'DEPOSIT',
      subtype: 'OFFCHAIN',
      currency,
      amount,
      operationId: paid.operationId,
      native: { offchainId: paid.native.offchainId },
    });
    context.notices.settle();
    return paid.native.txId;
  }

  #swap(account: AccountId, { fromCurrency, toCurrency, amount }: ConvertParams): string[] | Refusal {
    const context = this.#context;
    const from = this.#unit(fromCurrency);
    const to = this.#unit(toCurrency);
    if (from === undefined || to === undefined) return currencyNotFound();
    if (!fitsUnit(amount, from))
      return badAmount(`Parameter has more than ${writtenDecimals(from)} decimals`);
    const rate = fromCurrency === toCurrency ? undefined : this.#rates.rate(fromCurrency, toCurrency);
    if (rate === undefined) {
      return badParameter('to_currency', `There is no rate from ${fromCurrency} to ${toCurrency}`);
    }
    const forbidden = context.refusalOf(account, 'transfer');
    if (forbidden !== undefined) return forbidden;
    const step = to > 0n ? to : (1n as Amount);
    const bought = multiply(amount, rate);
    const received = (bought - (bought % step)) as Amount;
    if (received <= 0n) return badAmount(`Parameter is worth less than the smallest amount of ${toCurrency}`);
    if (!context.held.deposit(account, fromCurrency, negate(amount))) return refuse(20_001);
    context.held.deposit(account, toCurrency, received);
    context.count(fromCurrency, 'kept', amount);
    context.count(toCurrency, 'kept', negate(received));
    const leg = { account, status: 'SUCCESS', type: 'SWAP', subtype: 'INSTANT_EXCHANGE' } as const;
    const out = context.log.add({
      ...leg,
      currency: fromCurrency,
      amount,
      native: { operationType: 'swap_from' },
    });
    const into = context.log.add({
      ...leg,
      currency: toCurrency,
      amount: received,
      operationId: out.operationId,
      native: { operationType: 'swap_to' },
    });
    context.notices.settle();
    return [out.native.txId, into.native.txId];
  }

  #changeBalance(account: AccountId, place: TransferPlace, currency: string, change: Amount): boolean {
    if (place === 'wallet') return this.#context.held.deposit(account, currency, change);
    if (place === 'derivatives') return this.#context.derivatives.deposit(account, currency, change);
    const outcomes = this.#context.core.handle({ kind: 'adjustBalance', account, currency, change });
    return outcomes.every(({ kind }) => kind !== 'refused');
  }

  /** Why a currency does not move to a place, if so. Source: API v3, "Currency", transfer_enabled. */
  #transferOff(currency: string, destination: TransferPlace): Refusal | undefined {
    const options = this.#context.currency(currency);
    const isOn =
      destination === 'wallet' ? options?.transferToWalletEnabled : options?.transferToExchangeEnabled;
    if (options?.transferEnabled === true && isOn === true) return undefined;
    return refuse(600, { description: `Transfers of ${currency} to the ${destination} account are off` });
  }

  /** The smallest amount of a currency that can be moved; undefined when there is no such currency. */
  #unit(currency: string): Amount | undefined {
    const options = this.#context.currency(currency);
    return options && parseAmount(options.transferPrecision);
  }
}
