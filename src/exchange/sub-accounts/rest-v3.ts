import {
  encodeV3Acls,
  encodeV3SubAccount,
  encodeV3SubAccountAddress,
  encodeV3SubAccountBalances,
} from '../../venues/hitbtc/wire/v3/sub-accounts.ts';
import type { DoorSetup } from '../app-setup.ts';
import { badParameter, Refusal, refuse } from '../refusal.ts';
import type { RestResult, RestRoute } from '../http/rest-route.ts';
import { accountOf, v3Route } from '../http/rest-route.ts';
import type { SubAccountDesk } from './service.ts';
import { PickedSeats } from './picked-seats.ts';
import type { SubAccountSeat } from './registry.ts';

/** Sub-accounts of v3. Source: API v3, "Sub-accounts" and "Sub-account status". */
export function v3SubAccountRoutes({ world: { subAccounts: desk, core } }: DoorSetup): RestRoute[] {
  const picked = new PickedSeats(desk, notFound);
  return [
    v3Route('subAccounts', (_params, call) =>
      desk.registry.of(accountOf(call)).map((seat) => encodeV3SubAccount(seat.row('hex'))),
    ),
    v3Route('freezeSubAccounts', ({ subAccountIds }, call) =>
      picked.all(call, subAccountIds, (seats) => {
        if (seats.some((seat) => seat.isOut)) return refuse(21_003);
        for (const seat of seats) desk.freeze(seat);
        return { result: true };
      }),
    ),
    v3Route('activateSubAccounts', ({ subAccountIds }, call) =>
      picked.all(call, subAccountIds, (seats) => ({
        result: seats.map((seat) => desk.activate(seat)).every((activated) => activated),
      })),
    ),
    v3Route('subAccountAcl', ({ subAccountIds }, call) => {
      const all = desk.registry.of(accountOf(call));
      if (subAccountIds === undefined) return aclsOf(all.filter((seat) => !seat.isOut));
      return picked.all(call, subAccountIds, (seats) =>
        seats.some((seat) => seat.isOut) ? refuse(21_004) : aclsOf(seats),
      );
    }),
    v3Route('changeSubAccountAcl', ({ subAccountIds, ...change }, call) =>
      picked.all(call, subAccountIds, (seats) => {
        if (seats.some((seat) => seat.isOut)) return refuse(21_004);
        for (const seat of seats) seat.changeAcl(change, core.now());
        return aclsOf(seats);
      }),
    ),
    v3Route('subAccountBalance', ({ subAccountId }, call) =>
      picked.one(call, subAccountId, (seat) => encodeV3SubAccountBalances(desk.balances(seat))),
    ),
    v3Route('subAccountCryptoAddress', ({ subAccountId, currency, networkCode }, call) =>
      picked.one(call, subAccountId, (seat) => {
        const address = desk.address(seat, currency, networkCode);
        return address instanceof Refusal ? address : encodeV3SubAccountAddress(address);
      }),
    ),
    ...transferRoutes(desk, picked),
  ];
}

function transferRoutes(desk: SubAccountDesk, picked: PickedSeats): RestRoute[] {
  return [
    v3Route('subAccountTransfer', ({ subAccountId, type, ...what }, call) =>
      picked.one(call, subAccountId, (seat) => {
        if (seat.isOut) return refuse(21_004);
        return idAnswer(
          desk.transfer(seat, type === 'to_sub_account' ? 'toSub' : 'fromSub', what, accountOf(call)),
        );
      }),
    ),
    v3Route('subAccountTransferToSuper', (what, call) => {
      const own = desk.registry.seatOf(accountOf(call));
      return own === undefined ? notASub() : idAnswer(desk.transfer(own, 'fromSub', what, own.account.id));
    }),
    v3Route('subAccountTransferToSub', ({ subAccountId, ...what }, call) => {
      const own = desk.registry.seatOf(accountOf(call));
      if (own === undefined) return notASub();
      const other = desk.registry.find(own.parent.id, subAccountId);
      if (other === undefined) return notFound(subAccountId);
      if (other === own) {
        return badParameter('sub_account_id', 'Parameter must name another sub-account');
      }
      return other.isOut ? refuse(21_004) : idAnswer(desk.transferAcross(own, other, what));
    }),
  ];
}

function aclsOf(seats: readonly SubAccountSeat[]): object {
  return encodeV3Acls(seats.map((seat) => seat.acl('hex')));
}

function idAnswer(result: string | Refusal): RestResult {
  return result instanceof Refusal ? result : { result };
}

function notFound(id: string): Refusal {
  return refuse(21_001, { description: `No such sub-account: ${id.slice(0, 40)}` });
}

function notASub(): Refusal {
  return refuse(600, { description: 'Only a sub-account can make this transfer' });
}
