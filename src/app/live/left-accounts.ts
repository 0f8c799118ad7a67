import type { Instruments } from '../../core/model/instrument.ts';
import type { OpenMarginAccount } from '../../core/model/margin.ts';
import type { Balance } from '../../core/model/market.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { BalanceStore } from '../../core/state/balances.ts';
import { MarginStore } from '../../core/state/margin.ts';
import { Ledger } from '../../core/ledger/ledger.ts';

/** The accounts of a run as the earlier ones left them. */
export interface LeftAccounts {
  readonly spot: readonly Balance[];
  readonly futures: readonly Balance[];
  readonly accounts: readonly OpenMarginAccount[];
}

/** What an earlier run left, orders that still held something being gone; `undefined` when there is nothing. */
export function leftOf(history: readonly StampedEvent[], instruments: Instruments): LeftAccounts | undefined {
  let stores = openStores(instruments);
  for (const { event } of history) {
    const { spot, futures, margin } = stores;
    if (event.kind === 'balances') (event.wallet === 'futures' ? futures : spot).apply(event);
    else if (event.kind === 'marginAccount') margin.apply(event);
    else if (event.kind === 'readAnswered') {
      const { what } = event;
      if (what.of === 'balances') (what.product === 'futures' ? futures : spot).applyRead(event);
      else if (what.of === 'marginAccounts') margin.applyRead(what.product, event);
    } else if (event.kind === 'runStarted') {
      for (const store of [spot, futures]) store.begin();
      margin.begin(event.receiveTime);
    } else if (event.kind === 'stateCarried') {
      const { balances, futuresBalances = [], margin: carried } = event.state;
      stores = openStores(instruments);
      stores.spot.take(balances);
      stores.futures.take(futuresBalances);
      if (carried !== undefined) stores.margin.take(carried);
    }
  }
  const spot = stores.spot.all();
  if (spot.length === 0) return undefined;
  return { spot, futures: stores.futures.all(), accounts: stores.margin.accounts() };
}

function openStores(instruments: Instruments) {
  return {
    spot: new BalanceStore(),
    futures: new BalanceStore(),
    margin: new MarginStore(new Ledger(instruments)),
  };
}
