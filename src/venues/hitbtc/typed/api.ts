import { V2Account, V2Margin, V2Pages, V2SubAccounts } from './api-v2/index.ts';
import { V2MarketData, V3MarketData } from './market-data.ts';
import { V3Futures, V3Margin, V3Pages, V3SubAccounts, V3Wallet } from './api-v3/index.ts';
import { V2BuyCrypto, V3BuyCrypto } from './buy-crypto.ts';
import type { CallOptions, TypedCaller } from './calls/index.ts';
import { V2Caller, V3Caller } from './calls/index.ts';
import { V2History, V2Trading, V3Spot } from './trading.ts';

/** Version 3 over REST, grouped as the document groups it. */
export class V3Api {
  readonly marketData: V3MarketData;
  readonly spot: V3Spot;
  readonly wallet: V3Wallet;
  readonly subAccounts: V3SubAccounts;
  readonly buyCrypto: V3BuyCrypto;
  readonly margin: V3Margin;
  readonly futures: V3Futures;
  readonly user: V3User;
  /** Whole histories. */
  readonly pages: V3Pages;

  constructor(caller: Pick<TypedCaller, 'call'>) {
    const api = new V3Caller(caller);
    this.marketData = new V3MarketData(api);
    this.spot = new V3Spot(api);
    this.wallet = new V3Wallet(api);
    this.subAccounts = new V3SubAccounts(api);
    this.buyCrypto = new V3BuyCrypto(api);
    this.margin = new V3Margin(api);
    this.futures = new V3Futures(api);
    this.user = new V3User(api);
    this.pages = new V3Pages(api);
  }
}

/** Version 2 over REST, grouped as the document groups it. */
export class V2Api {
  readonly marketData: V2MarketData;
  readonly trading: V2Trading;
  readonly history: V2History;
  readonly account: V2Account;
  readonly buyCrypto: V2BuyCrypto;
  readonly subAccounts: V2SubAccounts;
  readonly margin: V2Margin;
  /** Whole histories. */
  readonly pages: V2Pages;

  constructor(caller: Pick<TypedCaller, 'call'>) {
    const api = new V2Caller(caller);
    this.marketData = new V2MarketData(api);
    this.trading = new V2Trading(api);
    this.history = new V2History(api);
    this.account = new V2Account(api);
    this.buyCrypto = new V2BuyCrypto(api);
    this.subAccounts = new V2SubAccounts(api);
    this.margin = new V2Margin(api);
    this.pages = new V2Pages(api);
  }
}

/** The user behind a key, v3. Errors: 1002, 429. Source: v3-gaps, section 8. */
export class V3User {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
  }

  /** The keys of this account and their rights, never their secrets. Any right. */
  apiKeys(options?: CallOptions) {
    return this.#api.call('userApiKeys', {}, options);
  }
}
