import type { CallOptions, V3Caller, V3Input } from '../calls/index.ts';

/**
 * Wallet of v3: balances, addresses, withdrawals, transfers, transactions. Amounts in units of their currency. Per
 * address 10 requests a second and 10 above, per account 20 and 30. Errors of every call: 1002, 1003 right missing,
 * 10001 a parameter, 429. Writes are never repeated. Source: API v3, "Wallet"; v3-gaps, section 6.
 */
export class V3Wallet {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
  }

  /** Every wallet balance that is not zero. Right R3. */
  balances(options?: CallOptions) {
    return this.#api.call('walletBalances', {}, options);
  }

  /** The wallet balance of one currency. Right R3. Errors: 2002. */
  balance(params: V3Input<'walletBalance'>, options?: CallOptions) {
    return this.#api.call('walletBalance', params, options);
  }

  /** The present deposit addresses, all or of one currency and network. Right R3. Errors: 2002. */
  addresses(params: V3Input<'walletAddresses'> = {}, options?: CallOptions) {
    return this.#api.call('walletAddresses', params, options);
  }

  /** Makes a new deposit address. A `paymentId`, where there is one, is part of it. Right R3. Errors: 2002. */
  createAddress(params: V3Input<'walletNewAddress'>, options?: CallOptions) {
    return this.#api.call('walletNewAddress', params, options);
  }

  /** The last ten deposit addresses. Right R3. Errors: 2002. */
  recentDepositAddresses(params: V3Input<'walletRecentDepositAddresses'>, options?: CallOptions) {
    return this.#api.call('walletRecentDepositAddresses', params, options);
  }

  /** The last ten addresses withdrawn to, each once. Right R3. Errors: 2002. */
  recentWithdrawAddresses(params: V3Input<'walletRecentWithdrawAddresses'>, options?: CallOptions) {
    return this.#api.call('walletRecentWithdrawAddresses', params, options);
  }

  /** Whether an address is a deposit address of this account. Right R3. */
  isMine(params: V3Input<'walletIsMine'>, options?: CallOptions) {
    return this.#api.call('walletIsMine', params, options);
  }

  /** Addresses that withdrawals may go to without further questions. Right R3. */
  whiteList(options?: CallOptions) {
    return this.#api.call('walletWhiteList', {}, options);
  }

  /**
   * Withdraws to an address and gives the id of the withdrawal. `amount` is what arrives, or with `includeFee` what
   * is spent; with `autoCommit` false it must be committed or rolled back within an hour. `publicComment` to 255
   * characters. Right R4. Errors: 2002, 20001 funds, 20003 limit, 20011 address, 20014 no offchain, 20018 off.
   */
  withdraw(params: V3Input<'walletWithdraw'>, options?: CallOptions) {
    return this.#api.call('walletWithdraw', params, options);
  }

  /** Commits a withdrawal that waits; true. May be repeated. Right R4. Errors: 20005, 20007. */
  commitWithdraw(params: V3Input<'walletCommitWithdraw'>, options?: CallOptions) {
    return this.#api.call('walletCommitWithdraw', params, options);
  }

  /** Rolls back a withdrawal that waits; true. May be repeated. Right R4. Errors: 20005, 20006. */
  rollBackWithdraw(params: V3Input<'walletRollBackWithdraw'>, options?: CallOptions) {
    return this.#api.call('walletRollBackWithdraw', params, options);
  }

  /** Estimates the cost of a withdrawal of `amount`. Right R3. Errors: 2002. */
  estimateFee(params: V3Input<'walletEstimateFee'>, options?: CallOptions) {
    return this.#api.call('walletEstimateFee', params, options);
  }

  /** Estimates the cost of several withdrawals, each with the network's part. Right R3. Errors: 2002. */
  estimateFees(items: V3Input<'walletEstimateFees'>['items'], options?: CallOptions) {
    return this.#api.call('walletEstimateFees', { items }, options);
  }

  /** The same under its other path. Right R3. Errors: 2002. */
  estimateFeesBulk(items: V3Input<'walletEstimateFeesBulk'>['items'], options?: CallOptions) {
    return this.#api.call('walletEstimateFeesBulk', { items }, options);
  }

  /** A hash that changes when any withdrawal fee does. Right R3. */
  feesHash(options?: CallOptions) {
    return this.#api.call('walletFeesHash', {}, options);
  }

  /** Converts one currency into another, and gives the ids of both transactions. Right R3. Errors: 2002, 20001. */
  convert(params: V3Input<'walletConvert'>, options?: CallOptions) {
    return this.#api.call('walletConvert', params, options);
  }

  /** Moves funds between wallet, spot and derivatives, and gives the id of the transaction. Right R3. Errors: 2002, 20001. */
  transfer(params: V3Input<'walletTransfer'>, options?: CallOptions) {
    return this.#api.call('walletTransfer', params, options);
  }

  /** Sends to another user, known by e-mail or user name; the id of the transaction. Right R4. Errors: 20001, 22004 no such user. */
  internalWithdraw(params: V3Input<'walletInternalWithdraw'>, options?: CallOptions) {
    return this.#api.call('walletInternalWithdraw', params, options);
  }

  /** Whether a withdrawal to this address can go offchain. Right R3. */
  isOffchainAvailable(params: V3Input<'walletOffchainAvailable'>, options?: CallOptions) {
    return this.#api.call('walletOffchainAvailable', params, options);
  }

  /**
   * Transactions, newest first: `orderBy` created_at, `from` and `till` of its kind, both included; `limit` 100 (to
   * 1000), `offset` to 100000. Right R3. All of it: `pages.transactions`.
   */
  transactions(params: V3Input<'walletTransactions'> = {}, options?: CallOptions) {
    return this.#api.call('walletTransactions', params, options);
  }

  /** One transaction. Right R3. Errors: 20004. */
  transaction(params: V3Input<'walletTransaction'>, options?: CallOptions) {
    return this.#api.call('walletTransaction', params, options);
  }

  /** Amounts that may not leave: `limit` 100 (to 1000), `offset` to 100000. Right R3. */
  amountLocks(params: V3Input<'walletAmountLocks'> = {}, options?: CallOptions) {
    return this.#api.call('walletAmountLocks', params, options);
  }

  /** Airdrops of this account. Right R3. */
  airdrops(options?: CallOptions) {
    return this.#api.call('walletAirdrops', {}, options);
  }

  /** Claims an airdrop and gives it back. Right R3. */
  claimAirdrop(params: V3Input<'walletClaimAirdrop'>, options?: CallOptions) {
    return this.#api.call('walletClaimAirdrop', params, options);
  }
}
