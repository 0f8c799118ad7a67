import type { Amount } from '../core/base/amount.ts';
import { zero } from '../core/base/amount.ts';
import { assert } from '../core/base/assert.ts';
import type { Lots } from '../core/model/instrument.ts';
import type { OpenMarginAccount, PositionView } from '../core/model/margin.ts';
import type { ExchangeState, AccountId } from '../exchange/matching/index.ts';
import { MarginAccount, fundingOf } from '../exchange/matching/index.ts';

const one = 10n ** 24n;

/** Opens a margin account as an earlier session left it: without orders, and with its positions. */
export function openAsLeft(
  exchange: ExchangeState,
  owner: AccountId,
  { account: view }: OpenMarginAccount,
): void {
  const account = new MarginAccount({
    owner,
    mode: view.mode,
    instrument: view.instrument,
    funding: fundingOf(exchange, owner, view.currency),
    leverage: view.leverage,
    auto: view.auto,
    now: view.createdAt,
  });
  account.balance = view.balance;
  account.amr = view.amr;
  account.called = view.called;
  exchange.margin.open(account);
  for (const position of view.positions) openPosition(exchange, account, position);
}

function openPosition(exchange: ExchangeState, account: MarginAccount, view: PositionView): void {
  const market = exchange.market(view.instrument);
  const { instrument } = market;
  const rule = exchange.options.marginRule(instrument);
  assert(rule !== undefined, 'a position was left where margin is not traded');
  const size = view.quantity < zero ? -view.quantity : view.quantity;
  const lots = Number(size / instrument.quantityAmount(1 as Lots));
  account.positions.set(instrument.id, {
    id: view.id,
    market,
    rule,
    terms: { leverage: view.leverage, takeRate: instrument.takeRate },
    quantity: (view.quantity < zero ? -lots : lots) as Lots,
    cost: costOf(view.entry, size),
    feeCumulative: view.feeCumulative,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
  });
  market.exposed.add(account);
  while (exchange.margin.nextPositionNumber() < view.id);
}

/** Cost of a position: its entry price was cut at the last digit, so the product is rounded up there. */
function costOf(entry: Amount, size: bigint): Amount {
  return ((entry * size + one - 1n) / one) as Amount;
}
