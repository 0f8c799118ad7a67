import type { Amount } from '../../core/base/amount.ts';
import { formatAmount } from '../../core/base/amount.ts';
import type { SessionName } from '../../core/model/event.ts';
import { zero } from '../../core/base/amount.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { Order } from '../../core/model/order.ts';
import { externalStrategy } from '../../core/ledger/index.ts';
import { runProfits } from '../../core/orders/base/profit.ts';
import { differenceLine, shownDifferences } from '../../core/state/index.ts';
import type { StateView } from '../../core/state/index.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { AccountState, RunProfitText, StoppedStrategy, OwnOrder } from '../../research/report/index.ts';
import { declaredBy } from '../run/assembly.ts';
import { accountName, accountText, heldOf } from './margin-accounts.ts';

const rowsMax = 50;
const sessions: readonly SessionName[] = ['market', 'trading'];

/** Strategies of a run that ended before it did: by a fault of their own or by a control. */
export function stoppedStrategies({
  hosts,
  view,
}: Pick<Trader, 'hosts' | 'view'>): readonly StoppedStrategy[] {
  return hosts.flatMap(({ name }) => {
    const why = view.stopped(name);
    return why === undefined || why === 'unloaded' || view.off(name) !== undefined
      ? []
      : [{ strategy: name, why }];
  });
}

/** How things stand, in a few words: `up` when orders can leave and every strategy runs. */
export function standingOf(trader: Pick<Trader, 'hosts' | 'view'>): string {
  const { view } = trader;
  const down = sessions.filter((session) => !view.sessionUp(session)).map((session) => `${session} down`);
  const mode = view.mode === 'active' ? [] : [view.mode];
  const stopped = stoppedStrategies(trader).map(({ strategy }) => `${strategy} stopped`);
  return [...mode, ...stopped, ...down].join(', ') || 'up';
}

/** Rows: what strategies declared first, then everything else on which something is held, as a position or as margin, or live. */
export function accountRows(trader: Trader): readonly InstrumentId[] {
  const { view } = trader;
  const ids = new Set(declaredBy(trader));
  for (const { id } of trader.instruments.all) if (view.openCountOf(id) > 0) ids.add(id);
  for (const { instrument } of view.positions()) if (heldOf(view, instrument) !== zero) ids.add(instrument);
  for (const { account } of view.marginAccounts())
    if (account.instrument !== undefined && account.balance !== zero) ids.add(account.instrument);
  return [...ids].slice(0, rowsMax);
}

/** Holdings and live orders of the account, whichever session brought them there. */
export function accountState(trader: Trader): AccountState {
  const { view, instruments } = trader;
  const held = new Set(view.positions().map(({ instrument }) => instrument));
  return {
    positions: [...held].flatMap((id) => {
      const amount = heldOf(view, id);
      const instrument = instruments.at(id);
      const { symbol, unit } = instrument;
      return amount === zero ? [] : [{ symbol, position: instrument.heldText(amount), unit }];
    }),
    marginAccounts: view.marginAccounts().map((one) => ({
      name: accountName(one, instruments),
      state: accountText(one, instruments),
    })),
    profits: profitTexts(view),
    openOrders: view.openCount(),
    unknownOrders: view.unknownCount(),
    stopped: stoppedStrategies(trader),
    ...comparisonOf(view),
  };
}

/** Profits of the run, its earlier sessions counted. */
export function profitTexts(view: StateView): readonly RunProfitText[] {
  const text = (amount: Amount | undefined): string | undefined =>
    amount === undefined ? undefined : formatAmount(amount);
  return runProfits(view).map(({ currency, profit, drawdown, drawdownMax }) => ({
    currency,
    profit: text(profit),
    drawdown: text(drawdown),
    drawdownMax: formatAmount(drawdownMax),
  }));
}

/** How books and venue agree, in lines. */
function comparisonOf(view: StateView): Pick<AccountState, 'differences' | 'corrections'> {
  return {
    differences: shownDifferences(view.differences.all).map(differenceLine),
    corrections: view.corrections.map(({ why }) => why),
  };
}

/** Orders of others on the account are none of a session's business. */
export function isOfSession({ strategy }: Order): boolean {
  return strategy !== externalStrategy;
}

/** Lookup of own orders in the state, for the summary of a session. */
export function ownOrders(view: StateView): OwnOrder {
  return (id) => {
    const order = view.order(id);
    return order !== undefined && isOfSession(order) ? order : undefined;
  };
}
