import type { CallOptions, V2Caller, V2Input } from '../calls/index.ts';

/**
 * Account management of v2: what v3 calls the wallet. Amounts in units of their currency; 10 requests a second per
 * account. Errors of every call: 1001, 1002, 1003 right missing, 10001 a parameter, 10021 frozen, 429. Writes are
 * never repeated. Source: API v2, "Account management".
 */
export class V2Account {
  readonly #api: V2Caller;

  constructor(api: V2Caller) {
    this.#api = api;
  }

  /** Every account balance. Right R3. */
  balances(options?: CallOptions) {
    return this.#api.call('accountBalances', {}, options);
  }

  /** The present deposit address. Right R3. Errors: 2002. */
  address(params: V2Input<'accountAddress'>, options?: CallOptions) {
    return this.#api.call('accountAddress', params, options);
  }

  /** Makes a new deposit address. Right R3. Errors: 2002. */
  createAddress(params: V2Input<'accountNewAddress'>, options?: CallOptions) {
    return this.#api.call('accountNewAddress', params, options);
  }

  /** The last ten deposit addresses. Right R3. Errors: 2002. */
  addresses(params: V2Input<'accountAddresses'>, options?: CallOptions) {
    return this.#api.call('accountAddresses', params, options);
  }

  /** The last ten addresses withdrawn to, each once. Right R3. Errors: 2002. */
  usedAddresses(params: V2Input<'accountUsedAddresses'>, options?: CallOptions) {
    return this.#api.call('accountUsedAddresses', params, options);
  }

  /**
   * Withdraws to an address and gives the id of the withdrawal. With `autoCommit` false it must be committed or
   * rolled back within an hour; `includeFee` makes `amount` what is spent. Right R4. Errors: 2002, 20001, 20003, 20011.
   */
  withdraw(params: V2Input<'accountWithdraw'>, options?: CallOptions) {
    return this.#api.call('accountWithdraw', params, options);
  }

  /** Commits a withdrawal that waits; true. May be repeated. Right R4. Errors: 20005, 20007. */
  commitWithdraw(params: V2Input<'accountCommitWithdraw'>, options?: CallOptions) {
    return this.#api.call('accountCommitWithdraw', params, options);
  }

  /** Rolls back a withdrawal that waits; true. May be repeated. Right R4. Errors: 20005, 20006. */
  rollBackWithdraw(params: V2Input<'accountRollBackWithdraw'>, options?: CallOptions) {
    return this.#api.call('accountRollBackWithdraw', params, options);
  }

  /** Converts one currency into another; the ids of the transactions. Right R3. Errors: 2002, 20001. */
  convert(params: V2Input<'accountConvert'>, options?: CallOptions) {
    return this.#api.call('accountConvert', params, options);
  }

  /** Estimates the cost of a withdrawal of `amount`. Right R3. Errors: 2002. */
  estimateWithdraw(params: V2Input<'accountEstimateWithdraw'>, options?: CallOptions) {
    return this.#api.call('accountEstimateWithdraw', params, options);
  }

  /** The same for each speed there is. Right R3. Errors: 2002. */
  estimateWithdrawLevels(params: V2Input<'accountEstimateWithdrawLevels'>, options?: CallOptions) {
    return this.#api.call('accountEstimateWithdrawLevels', params, options);
  }

  /** Whether an address is a deposit address of this account. Right R3. */
  isMine(params: V2Input<'accountIsMine'>, options?: CallOptions) {
    return this.#api.call('accountIsMine', params, options);
  }

  /** Moves funds between account and trading balance; the id of the transaction. Right R3. Errors: 2002, 20001. */
  transfer(params: V2Input<'accountTransfer'>, options?: CallOptions) {
    return this.#api.call('accountTransfer', params, options);
  }

  /** Sends to another user, known by e-mail or user name; the id of the transaction. Right R4. Errors: 20001, 22004. */
  transferInternal(params: V2Input<'accountTransferInternal'>, options?: CallOptions) {
    return this.#api.call('accountTransferInternal', params, options);
  }

  /** Transactions, newest first: `by` timestamp or index, `limit` 100 (to 1000), `offset` to 100000. Right R3. */
  transactions(params: V2Input<'accountTransactions'> = {}, options?: CallOptions) {
    return this.#api.call('accountTransactions', params, options);
  }

  /** One transaction. Right R3. Errors: 20004. */
  transaction(params: V2Input<'accountTransaction'>, options?: CallOptions) {
    return this.#api.call('accountTransaction', params, options);
  }
}
