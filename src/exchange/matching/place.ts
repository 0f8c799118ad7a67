import type { PlaceCommand } from './command.ts';
import type { Lots } from '../../core/model/instrument.ts';
import { checkAccount, checkRequest, insufficientFunds } from './admission.ts';
import type { Desk } from './desk.ts';
import { seatOrder } from './margin-admission.ts';
import { admit } from './holding.ts';
import { enter, hold, startsSuspended, suspend } from './entry.ts';
import type { Market } from './market.ts';
import type { OrderRecord } from './order-record.ts';
import { isWing } from './wings.ts';

/** Places an order, or refuses it and leaves everything as it was. */
export function place(desk: Desk, command: PlaceCommand): void {
  const { request } = command;
  const market = desk.market(request.instrument);
  const account = desk.account(command.account);
  const refusal =
    checkRequest(market, request, desk.now, desk.options) ?? checkAccount(account, request, desk);
  if (refusal !== undefined) {
    desk.refuse(account.id, request.clientOrderId, refusal.code, refusal.why);
    return;
  }
  const birth = {
    number: 0,
    createdAt: desk.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  };
  if (!isWing(account.id)) {
    const seat = desk.seat(account, market, command.takeMarkup, command.makeMarkup);
    birth.number = desk.nextOrderNumber();
    begin(desk, market, desk.orders.open(request, seat, birth));
    return;
  }
  const seated = seatOrder(desk, account, market, command);
  if ('code' in seated) {
    desk.refuse(account.id, request.clientOrderId, seated.code, seated.why);
    return;
  }
  birth.number = desk.nextOrderNumber();
  const record = desk.orders.open(request, seated.seat, birth);
  record.margin = seated.margin;
  begin(desk, market, record);
}

function begin(desk: Desk, market: Market, record: OrderRecord): void {
  const suspended = startsSuspended(record);
  if (suspended) record.state = 'suspended';
  if (!hold(desk, market, record)) {
    desk.orders.close(record);
    const { code, why } = insufficientFunds;
    desk.refuse(record.seat.account, record.clientOrderId, code, why);
    return;
  }
  admit(desk, record);
  if (suspended) suspend(desk, market, record, 'suspended');
  else enter(desk, market, record, 'new');
}
