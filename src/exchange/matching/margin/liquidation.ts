import { add, subtract, zero } from '../../../core/base/amount.ts';
import type { ExchangeState } from '../state/index.ts';
import { endAndReport, activateFired, capOf, isReducing } from '../execution/index.ts';
import type { MarginAccount } from '../accounts/index.ts';
import { closeAtMarket, hasOrders, returnMargin } from './commands.ts';

/**
 * What follows from the command for margin accounts: orders that may only reduce and have nothing left to reduce end;
 * where the price has come to a boundary there is a margin call, or the positions are liquidated; automatic accounts
 * without positions and orders close. Liquidations move prices, so this goes on until nothing moves.
 */
export function watchMargins(exchange: ExchangeState): void {
  const { moved, touched } = exchange.margin;
  if (moved.size === 0 && touched.size === 0) return;
  /** An account is liquidated once in a command: what the book could not take waits for the next price. */
  const tried = new Set<MarginAccount>();
  for (let market = first(moved); market !== undefined; market = first(moved)) {
    moved.delete(market);
    for (const account of market.exposed) touched.add(account);
    for (const account of market.exposed) if (!tried.has(account)) judge(exchange, account, tried);
    if (exchange.fired.length > 0) activateFired(exchange);
  }
  for (const account of touched) if (account.isOpen) tidy(exchange, account);
}

function judge(exchange: ExchangeState, account: MarginAccount, tried: Set<MarginAccount>): void {
  const isReplenished = account.amr || (account.auto && account.draws);
  if (isReplenished && account.equity() <= account.needed('call')) replenish(exchange, account);
  const equity = account.equity();
  if (equity <= account.needed('liquidation')) {
    tried.add(account);
    liquidate(exchange, account);
    return;
  }
  const called = equity <= account.needed('call');
  if (called === account.called) return;
  account.called = called;
  exchange.margin.noteReport(account, 'updated', 'updated');
}

/** Brings the margin back to what the positions needed when they were opened, as far as the trading balance goes. */
function replenish(exchange: ExchangeState, account: MarginAccount): void {
  const wanted = subtract(add(account.reservedPositions, account.reservedOrders), account.equity());
  const { available } = account.funding;
  const amount = wanted < available ? wanted : available;
  if (amount <= zero || !account.fund(exchange.wallets, amount)) return;
  exchange.margin.noteAmount(account, 'marginChanged');
}

function liquidate(exchange: ExchangeState, account: MarginAccount): void {
  cancelOrders(exchange, account, () => true);
  for (const { market } of account.positions.values()) {
    const open = exchange.market(market.instrument.id);
    // Where nothing is traded the position waits: for trading to go on, or for the settlement of its contract.
    if (open.status === 'working') closeAtMarket(exchange, account, open, true);
  }
}

function tidy(exchange: ExchangeState, account: MarginAccount): void {
  cancelOrders(
    exchange,
    account,
    (record) => isReducing(record) && record.where === 'book' && capOf(record) === 0,
  );
  if (!account.auto || account.idle || account.positions.size > 0) return;
  if (!hasOrders(exchange, account)) returnMargin(exchange, account);
}

function cancelOrders(
  exchange: ExchangeState,
  account: MarginAccount,
  which: (record: Parameters<typeof isReducing>[0]) => boolean,
): void {
  for (const record of exchange.account(account.owner).orders()) {
    if (record.context.margin === account && which(record)) endAndReport(exchange, record, 'canceled');
  }
}

function first<Item>(items: ReadonlySet<Item>): Item | undefined {
  for (const item of items) return item;
  return undefined;
}
