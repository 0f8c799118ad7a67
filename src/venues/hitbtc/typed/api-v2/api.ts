import type { TypedCaller } from '../caller.ts';
import { V2Account } from './account.ts';
import { V2BuyCrypto } from './buy-crypto.ts';
import { V2Caller } from '../table-caller.ts';
import { V2History } from './history.ts';
import { V2Margin } from './margin.ts';
import { V2MarketData } from './markets.ts';
import { V2Pages } from './pages.ts';
import { V2SubAccounts } from './sub-accounts.ts';
import { V2Trading } from './trading.ts';

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
