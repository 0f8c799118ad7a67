import type { Amount } from '../../../core/base/amount.ts';
import { zero, add, negate, subtract } from '../../../core/base/amount.ts';
import type { Lots } from '../../../core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../core/model/order.ts';
import type { ExchangeState, ExchangeMarket, OrderRecord } from '../state/index.ts';
import type { OrderRefusal } from '../execution/index.ts';
import { enter, admit, checkStatus, insufficientFunds, endAndReport } from '../execution/index.ts';
import type {
  ClosePositionCommand,
  SetAmrCommand,
  SetAutoMarginCommand,
  SetLeverageCommand,
  SetMarginCommand,
} from '../accounts/index.ts';
import { MarginAccount } from '../accounts/index.ts';
import { fundingOf, isTraded } from './admission.ts';

/** Closes what an account has open on a market, as far as the book goes. */
export function closeAtMarket(
  exchange: ExchangeState,
  account: MarginAccount,
  market: ExchangeMarket,
  liquidates: boolean,
): void {
  const open = account.positions.get(market.instrument.id)?.quantity ?? 0;
  if (open === 0) return;
  const record = openReducing(exchange, account, market, {
    liquidates,
    request: {
      clientOrderId: `${liquidates ? 'liquidation' : 'close'}-${exchange.nextOrderNumber()}` as ClientOrderId,
      instrument: market.instrument.id,
      side: open > 0 ? 'sell' : 'buy',
      type: 'market',
      timeInForce: 'IOC',
      quantity: Math.abs(open) as Lots,
      price: undefined,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  });
  enter(exchange, market, record, 'new');
}

/** An order of the exchange's own making that may only make a position smaller. It needs no margin, and is not at the market yet. */
export function openReducing(
  exchange: ExchangeState,
  account: MarginAccount,
  market: ExchangeMarket,
  order: { readonly request: OrderRequest; readonly liquidates: boolean },
): OrderRecord {
  const owner = exchange.account(account.owner);
  const { baseCurrency, quoteCurrency } = market.instrument.spec;
  const context = {
    account: account.owner,
    base: exchange.wallet(owner, baseCurrency),
    quote: exchange.wallet(owner, quoteCurrency),
    terms: market.terms(zero, zero),
    margin: account,
    port: undefined,
    third: undefined,
    isFree: false,
    integers: undefined,
  };
  const record = exchange.orders.open(order.request, context, {
    number: exchange.nextOrderNumber(),
    createdAt: exchange.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
  record.margin = { mode: account.mode, reduceOnly: true, closePosition: false, auto: false };
  record.liquidates = order.liquidates;
  admit(exchange, record);
  return record;
}

const noAccount: OrderRefusal = { code: 'MARGIN_NOT_FOUND', why: 'there is no such margin account' };

/** Opens an account, changes its margin, or closes it (0). Source: API v3, "PUT /api/3/margin/account". */
export function setMargin(exchange: ExchangeState, command: SetMarginCommand): void {
  const known = exchange.margin.find(command.account, command);
  const refusal =
    known === undefined
      ? openWith(exchange, command)
      : changeTo(exchange, known, command.balance, command.leverage);
  if (refusal !== undefined) exchange.refuse(command.account, undefined, refusal.code, refusal.why);
}

function openWith(exchange: ExchangeState, command: SetMarginCommand): OrderRefusal | undefined {
  const { account: owner, mode, instrument, balance, leverage } = command;
  const market = instrument === undefined ? undefined : exchange.market(instrument);
  if (mode === 'isolated' && (market === undefined || !isTraded(exchange, owner, market)))
    return { code: 'MARGIN_FORBIDDEN', why: 'the symbol is not traded on margin' };
  if (balance <= zero) return noAccount;
  if (market?.status === 'expired') return checkStatus(market);
  const currency = market?.instrument.spec.quoteCurrency ?? command.currency ?? '';
  const funding = fundingOf(exchange, owner, currency);
  const made = new MarginAccount({
    owner,
    mode,
    instrument: mode === 'isolated' ? instrument : undefined,
    funding,
    leverage:
      leverage ??
      (market && mode === 'isolated' ? exchange.options.marginRule(market.instrument)?.leverage : undefined),
    auto: false,
    now: exchange.now,
  });
  if (!made.fund(exchange.wallets, balance)) return insufficientFunds;
  exchange.margin.open(made);
  exchange.margin.noteReport(made, 'created', 'created');
  return undefined;
}

function changeTo(
  exchange: ExchangeState,
  account: MarginAccount,
  balance: Amount,
  leverage: Amount | undefined,
): OrderRefusal | undefined {
  const isSame = balance === account.balance && (leverage === undefined || leverage === account.leverage);
  if (isSame && balance > zero)
    return { code: 'MARGIN_NOT_CHANGED', why: 'the margin balance is what was asked for' };
  const needed = add(account.reservedPositions, account.reservedOrders);
  const isTaken = account.positions.size > 0 || hasOrders(exchange, account);
  if (balance < needed || (balance === zero && isTaken)) return insufficientFunds;
  if (leverage !== undefined && leverage !== account.leverage && isTaken)
    return { code: 'CLOSE_ONLY', why: 'leverage cannot be changed while there are positions or orders' };
  if (!account.fund(exchange.wallets, subtract(balance, account.balance))) return insufficientFunds;
  if (leverage !== undefined) account.leverage = leverage;
  account.updatedAt = exchange.now;
  if (balance > zero) {
    exchange.margin.noteReport(account, 'updated', 'marginChanged');
    return undefined;
  }
  exchange.margin.close(account);
  exchange.margin.noteReport(account, 'closed', 'closed');
  return undefined;
}

/** Whether orders of an account live, also those that need no margin because they close something. */
export function hasOrders(exchange: ExchangeState, account: MarginAccount): boolean {
  for (const record of exchange.account(account.owner).orders())
    if (record.context.margin === account) return true;
  return false;
}

/** Setting what is set already says nothing. Source: API v3, "AMR rules". */
export function setAmr(exchange: ExchangeState, command: SetAmrCommand): void {
  const account = exchange.margin.find(command.account, command);
  if (account === undefined) {
    exchange.refuse(command.account, undefined, 'AMR_WITHOUT_ACCOUNT', 'the margin account must exist');
    return;
  }
  if (account.amr === command.amr) return;
  account.amr = command.amr;
  account.updatedAt = exchange.now;
  exchange.margin.noteReport(account, 'updated', 'amrChanged');
}

/** The leverage of new positions of an isolated account. Source: v3-gaps, section 2.5 (futures_set_leverage). */
export function setLeverage(exchange: ExchangeState, command: SetLeverageCommand): void {
  const account = exchange.margin.find(command.account, command);
  const refusal = account === undefined ? noAccount : checkLeverage(exchange, account, command.leverage);
  if (account === undefined || refusal !== undefined) {
    const { code, why } = refusal ?? noAccount;
    exchange.refuse(command.account, undefined, code, why);
    return;
  }
  account.leverage = command.leverage;
  account.updatedAt = exchange.now;
  exchange.margin.noteReport(account, 'updated', 'updated');
}

function checkLeverage(
  exchange: ExchangeState,
  account: MarginAccount,
  leverage: Amount,
): OrderRefusal | undefined {
  if (leverage === account.leverage)
    return { code: 'MARGIN_NOT_CHANGED', why: 'the leverage is what was asked for' };
  const isTaken = account.positions.size > 0 || hasOrders(exchange, account);
  if (!isTaken) return undefined;
  return { code: 'CLOSE_ONLY', why: 'leverage cannot be changed while there are positions or orders' };
}

/** Setting what is set already says nothing, as with replenishment. */
export function setAutoMargin(exchange: ExchangeState, command: SetAutoMarginCommand): void {
  const account = exchange.margin.find(command.account, command);
  if (account === undefined) {
    exchange.refuse(command.account, undefined, 'AMR_WITHOUT_ACCOUNT', 'the margin account must exist');
    return;
  }
  if (account.auto === command.auto) return;
  account.auto = command.auto;
  account.idle = command.auto && account.positions.size === 0 && !hasOrders(exchange, account);
  account.updatedAt = exchange.now;
  exchange.margin.noteReport(account, 'updated', 'updated');
}

/** Cancels the orders of a position, then closes it: at market, or by a limit order that may only reduce it. */
export function closePosition(exchange: ExchangeState, command: ClosePositionCommand): void {
  const { instrument, mode, price } = command;
  const market = exchange.market(instrument);
  const { quoteCurrency } = market.instrument.spec;
  const account = exchange.margin.find(command.account, { mode, instrument, currency: quoteCurrency });
  const position = account?.positions.get(instrument);
  if (account === undefined || position === undefined) {
    exchange.refuse(command.account, undefined, 'MARGIN_NOT_FOUND', 'there is no such position');
    return;
  }
  const closed = checkStatus(market);
  if (closed !== undefined) {
    exchange.refuse(command.account, undefined, closed.code, closed.why);
    return;
  }
  for (const record of exchange.account(command.account).orders()) {
    if (record.instrument === instrument && record.context.margin === account)
      endAndReport(exchange, record, 'canceled');
  }
  if (price === undefined) {
    closeAtMarket(exchange, account, market, false);
    return;
  }
  const record = openReducing(exchange, account, market, {
    liquidates: false,
    request: {
      clientOrderId: command.clientOrderId as ClientOrderId,
      instrument,
      side: position.quantity > 0 ? 'sell' : 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: Math.abs(position.quantity) as Lots,
      price,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  });
  enter(exchange, market, record, 'new');
}

/** All margin of an account goes back to where it came from. */
export function returnMargin(exchange: ExchangeState, account: MarginAccount): void {
  // An account made for an order that was then refused has never been.
  if (account.notes.every(({ reason }) => reason === 'created')) account.notes.length = 0;
  else exchange.margin.noteReport(account, 'closed', 'closed');
  account.fund(exchange.wallets, negate(account.balance));
  exchange.margin.close(account);
}
