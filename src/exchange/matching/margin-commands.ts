import type { Amount } from '../../core/base/amount.ts';
import { add, negate, subtract, zero } from '../../core/base/amount.ts';
import type { Lots } from '../../core/model/instrument.ts';
import type { ClientOrderId } from '../../core/model/order.ts';
import type { Refusal } from './admission.ts';
import { insufficientFunds } from './admission.ts';
import type {
  ClosePositionCommand,
  SetAmrCommand,
  SetAutoMarginCommand,
  SetLeverageCommand,
  SetMarginCommand,
} from './command.ts';
import type { Desk } from './desk.ts';
import { endAndReport } from './ending.ts';
import { MarginAccount } from './margin-account.ts';
import { fundingOf, isTraded } from './margin-admission.ts';
import { closeAtMarket, openReducing } from './margin-closing.ts';

const noAccount: Refusal = { code: 'MARGIN_NOT_FOUND', why: 'there is no such margin account' };

/** Opens an account, changes its margin, or closes it (0). Source: API v3, "PUT /api/3/margin/account". */
export function setMargin(desk: Desk, command: SetMarginCommand): void {
  const known = desk.margin.find(command.account, command);
  const refusal =
    known === undefined ? openWith(desk, command) : changeTo(desk, known, command.balance, command.leverage);
  if (refusal !== undefined) desk.refuse(command.account, undefined, refusal.code, refusal.why);
}

function openWith(desk: Desk, command: SetMarginCommand): Refusal | undefined {
  const { account: owner, mode, instrument, balance, leverage } = command;
  const market = instrument === undefined ? undefined : desk.market(instrument);
  if (mode === 'isolated' && (market === undefined || !isTraded(desk, owner, market)))
    return { code: 'MARGIN_FORBIDDEN', why: 'the symbol is not traded on margin' };
  if (balance <= zero) return noAccount;
  const currency = market?.instrument.spec.quoteCurrency ?? command.currency ?? '';
  const funding = fundingOf(desk, owner, currency);
  const made = new MarginAccount({
    owner,
    mode,
    instrument: mode === 'isolated' ? instrument : undefined,
    funding,
    leverage:
      leverage ??
      (market && mode === 'isolated' ? desk.options.marginRule(market.instrument)?.leverage : undefined),
    auto: false,
    now: desk.now,
  });
  if (!made.fund(desk.ledger, balance)) return insufficientFunds;
  desk.margin.open(made);
  desk.margin.note(made, 'created', 'created');
  return undefined;
}

function changeTo(
  desk: Desk,
  account: MarginAccount,
  balance: Amount,
  leverage: Amount | undefined,
): Refusal | undefined {
  const isSame = balance === account.balance && (leverage === undefined || leverage === account.leverage);
  if (isSame && balance > zero)
    return { code: 'MARGIN_NOT_CHANGED', why: 'the margin balance is what was asked for' };
  const needed = add(account.reservedPositions, account.reservedOrders);
  const isTaken = account.positions.size > 0 || hasOrders(desk, account);
  if (balance < needed || (balance === zero && isTaken)) return insufficientFunds;
  if (leverage !== undefined && leverage !== account.leverage && isTaken)
    return { code: 'CLOSE_ONLY', why: 'leverage cannot be changed while there are positions or orders' };
  if (!account.fund(desk.ledger, subtract(balance, account.balance))) return insufficientFunds;
  if (leverage !== undefined) account.leverage = leverage;
  account.updatedAt = desk.now;
  if (balance > zero) {
    desk.margin.note(account, 'updated', 'marginChanged');
    return undefined;
  }
  desk.margin.close(account);
  desk.margin.note(account, 'closed', 'closed');
  return undefined;
}

/** Whether orders of an account live, also those that need no margin because they close something. */
export function hasOrders(desk: Desk, account: MarginAccount): boolean {
  for (const record of desk.account(account.owner).orders()) if (record.seat.margin === account) return true;
  return false;
}

/** Setting what is set already says nothing. Source: API v3, "AMR rules". */
export function setAmr(desk: Desk, command: SetAmrCommand): void {
  const account = desk.margin.find(command.account, command);
  if (account === undefined) {
    desk.refuse(command.account, undefined, 'AMR_WITHOUT_ACCOUNT', 'the margin account must exist');
    return;
  }
  if (account.amr === command.amr) return;
  account.amr = command.amr;
  account.updatedAt = desk.now;
  desk.margin.note(account, 'updated', 'amrChanged');
}

/** The leverage of new positions of an isolated account. Source: v3-gaps, section 2.5 (futures_set_leverage). */
export function setLeverage(desk: Desk, command: SetLeverageCommand): void {
  const account = desk.margin.find(command.account, command);
  const refusal = account === undefined ? noAccount : checkLeverage(desk, account, command.leverage);
  if (account === undefined || refusal !== undefined) {
    const { code, why } = refusal ?? noAccount;
    desk.refuse(command.account, undefined, code, why);
    return;
  }
  account.leverage = command.leverage;
  account.updatedAt = desk.now;
  desk.margin.note(account, 'updated', 'updated');
}

function checkLeverage(desk: Desk, account: MarginAccount, leverage: Amount): Refusal | undefined {
  if (leverage === account.leverage)
    return { code: 'MARGIN_NOT_CHANGED', why: 'the leverage is what was asked for' };
  const isTaken = account.positions.size > 0 || hasOrders(desk, account);
  if (!isTaken) return undefined;
  return { code: 'CLOSE_ONLY', why: 'leverage cannot be changed while there are positions or orders' };
}

/** Setting what is set already says nothing, as with replenishment. */
export function setAutoMargin(desk: Desk, command: SetAutoMarginCommand): void {
  const account = desk.margin.find(command.account, command);
  if (account === undefined) {
    desk.refuse(command.account, undefined, 'AMR_WITHOUT_ACCOUNT', 'the margin account must exist');
    return;
  }
  if (account.auto === command.auto) return;
  account.auto = command.auto;
  account.idle = command.auto && account.positions.size === 0 && !hasOrders(desk, account);
  account.updatedAt = desk.now;
  desk.margin.note(account, 'updated', 'updated');
}

/** Cancels the orders of a position, then closes it: at market, or by a limit order that may only reduce it. */
export function closePosition(desk: Desk, command: ClosePositionCommand): void {
  const { instrument, mode, price } = command;
  const market = desk.market(instrument);
  const { quoteCurrency } = market.instrument.spec;
  const account = desk.margin.find(command.account, { mode, instrument, currency: quoteCurrency });
  const position = account?.positions.get(instrument);
  if (account === undefined || position === undefined) {
    desk.refuse(command.account, undefined, 'MARGIN_NOT_FOUND', 'there is no such position');
    return;
  }
  for (const record of desk.account(command.account).orders()) {
    if (record.instrument === instrument && record.seat.margin === account)
      endAndReport(desk, record, 'canceled');
  }
  if (price === undefined) {
    closeAtMarket(desk, account, market, false);
    return;
  }
  openReducing(desk, account, market, {
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
}

/** All margin of an account goes back to where it came from. */
export function returnMargin(desk: Desk, account: MarginAccount): void {
  // An account made for an order that was then refused has never been.
  if (account.notes.every(({ reason }) => reason === 'created')) account.notes.length = 0;
  else desk.margin.note(account, 'closed', 'closed');
  account.fund(desk.ledger, negate(account.balance));
  desk.margin.close(account);
}
