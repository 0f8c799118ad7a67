import type { CallOptions, V2Caller, V2Input } from '../calls/index.ts';

/**
 * Sub-accounts of a super account, v2; the calls that name no right need any key. 10 requests a second per account.
 * Errors of every call: 1001, 1002, 1003, 10001, 500 no such sub-account or frozen, 429. Source: API v2,
 * "Sub-accounts"; v2-gaps, section 3.
 */
export class V2SubAccounts {
  readonly #api: V2Caller;

  constructor(api: V2Caller) {
    this.#api = api;
  }

  /** Every sub-account: id, e-mail, status. */
  list(options?: CallOptions) {
    return this.#api.call('subAccounts', {}, options);
  }

  /** Freezes sub-accounts by id. */
  freeze(params: V2Input<'freezeSubAccounts'>, options?: CallOptions) {
    return this.#api.call('freezeSubAccounts', params, options);
  }

  /** Activates frozen ones; false when one is disabled. */
  activate(params: V2Input<'activateSubAccounts'>, options?: CallOptions) {
    return this.#api.call('activateSubAccounts', params, options);
  }

  /** Moves funds: `deposit` to the sub-account, `withdraw` from it; the id of the transaction. Right R4. Errors: 20001. */
  transfer(params: V2Input<'subAccountTransfer'>, options?: CallOptions) {
    return this.#api.call('subAccountTransfer', params, options);
  }

  /** Rights of sub-accounts; empty for a frozen or disabled one. Right R3. */
  acl(params: V2Input<'subAccountAcl'>, options?: CallOptions) {
    return this.#api.call('subAccountAcl', params, options);
  }

  /** Changes what a sub-account may do, and gives it back. Right R3. */
  changeAcl(params: V2Input<'changeSubAccountAcl'>, options?: CallOptions) {
    return this.#api.call('changeSubAccountAcl', params, options);
  }

  /** Balances of a sub-account, in whatever state it is. Right R3. */
  balance(params: V2Input<'subAccountBalance'>, options?: CallOptions) {
    return this.#api.call('subAccountBalance', params, options);
  }

  /** The deposit address of a sub-account. Errors: 2002. */
  depositAddress(params: V2Input<'subAccountDepositAddress'>, options?: CallOptions) {
    return this.#api.call('subAccountDepositAddress', params, options);
  }
}
