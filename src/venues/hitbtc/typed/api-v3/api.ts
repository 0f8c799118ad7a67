import type { TypedCaller } from '../caller.ts';
import { V3BuyCrypto } from './buy-crypto.ts';
import { V3Caller } from '../table-caller.ts';
import { V3Futures } from './futures.ts';
import { V3Margin } from './margin.ts';
import { V3MarketData } from './markets.ts';
import { V3Pages } from './pages.ts';
import { V3Spot } from './spot.ts';
import { V3SubAccounts } from './sub-accounts.ts';
import { V3User } from './user.ts';
import { V3Wallet } from './wallet.ts';

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
