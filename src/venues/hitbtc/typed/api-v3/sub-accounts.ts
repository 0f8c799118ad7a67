import type { CallOptions, V3Caller, V3Input } from '../calls/index.ts';

/**
 * Sub-accounts of a super account, v3; the calls that name no right need any key. Per account 20 requests a second
 * and 30 above. Errors of every call: 1002, 1003, 10001, 21001 no such sub-account, 429. Source: API v3, "Sub-accounts".
 */
export class V3SubAccounts {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
  }

  /** Every sub-account: id, e-mail, status (new, active, disable). */
  list(options?: CallOptions) {
    return this.#api.call('subAccounts', {}, options);
  }

  /** Freezes sub-accounts: their orders are canceled, nothing of them works until activated. Errors: 21003. */
  freeze(params: V3Input<'freezeSubAccounts'>, options?: CallOptions) {
    return this.#api.call('freezeSubAccounts', params, options);
  }

  /** Activates frozen ones; false when one is disabled, which stays so. */
  activate(params: V3Input<'activateSubAccounts'>, options?: CallOptions) {
    return this.#api.call('activateSubAccounts', params, options);
  }

  /** Moves funds to or from a sub-account; the id of the transaction. Right R4. Errors: 2002, 20001, 21004 frozen. */
  transfer(params: V3Input<'subAccountTransfer'>, options?: CallOptions) {
    return this.#api.call('subAccountTransfer', params, options);
  }

  /** A sub-account sends to its super account; the id of the transaction. Right R4. Errors: 2002, 20001. */
  transferToSuper(params: V3Input<'subAccountTransferToSuper'>, options?: CallOptions) {
    return this.#api.call('subAccountTransferToSuper', params, options);
  }

  /** A sub-account sends to another one; the id of the transaction. Right R4. Errors: 2002, 20001, 21004. */
  transferToSub(params: V3Input<'subAccountTransferToSub'>, options?: CallOptions) {
    return this.#api.call('subAccountTransferToSub', params, options);
  }

  /** Rights of sub-accounts, all or those named. Right R3. Errors: 21004. */
  acl(params: V3Input<'subAccountAcl'> = {}, options?: CallOptions) {
    return this.#api.call('subAccountAcl', params, options);
  }

  /** Changes what sub-accounts may do, and gives it back. Right R3. Errors: 21004. */
  changeAcl(params: V3Input<'changeSubAccountAcl'>, options?: CallOptions) {
    return this.#api.call('changeSubAccountAcl', params, options);
  }

  /** Balances of a sub-account that are not zero, wallet and spot, in whatever state it is. Right R3. */
  balance(params: V3Input<'subAccountBalance'>, options?: CallOptions) {
    return this.#api.call('subAccountBalance', params, options);
  }

  /** The deposit address of a sub-account. Right R3. Errors: 2002. */
  cryptoAddress(params: V3Input<'subAccountCryptoAddress'>, options?: CallOptions) {
    return this.#api.call('subAccountCryptoAddress', params, options);
  }
}
