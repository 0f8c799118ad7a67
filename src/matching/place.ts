import type { PlaceCommand } from './command.ts';
import type { Lots } from '../model/instrument.ts';
import { checkAccount, checkRequest, insufficientFunds } from './admission.ts';
import type { Desk } from './desk.ts';
import { enter, hold, startsSuspended, suspend } from './entry.ts';
import { OrderRecord } from './order-record.ts';

/** Places an order, or refuses it and leaves everything as it was. */
export function place(desk: Desk, command: PlaceCommand): void {
  const { request } = command;
  const market = desk.market(request.instrument);
  const account = desk.account(command.account);
  const refusal =
    checkRequest(market, request, desk.now, desk.options) ??
    checkAccount(account, request, desk.now, desk.options);
  if (refusal !== undefined) {
    desk.refuse(account.id, request.clientOrderId, refusal.code, refusal.why);
    return;
  }
  const seat = desk.seat(account, market, command.takeMarkup, command.makeMarkup);
  const record = new OrderRecord(request, seat, {
    number: desk.nextOrderNumber(),
    createdAt: desk.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
  const suspended = startsSuspended(record);
  if (suspended) record.state = 'suspended';
  if (!hold(desk, market, record)) {
    desk.refuse(account.id, request.clientOrderId, insufficientFunds.code, insufficientFunds.why);
    return;
  }
  account.add(record);
  if (suspended) suspend(desk, market, record, 'suspended');
  else enter(desk, market, record, 'new');
}
