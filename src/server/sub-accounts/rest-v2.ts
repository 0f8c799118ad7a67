import {
  encodeV2Acls,
  encodeV2SubAccountAddress,
  encodeV2SubAccountBalances,
  encodeV2SubAccounts,
} from '../../wire/v2/sub-accounts.ts';
import type { DoorSetup } from '../door-setup.ts';
import { Refusal, refuse } from '../refusal.ts';
import type { RestCall, RestResult, RestRoute } from '../rest-route.ts';
import { accountOf, v2Route } from '../rest-route.ts';
import type { SubAccountDesk } from './desk.ts';
import type { SubAccountSeat } from './registry.ts';

/** Sub-accounts of v2. Source: API v2, "Sub-accounts"; v2-gaps, section 3. */
export function v2SubAccountRoutes({ world: { subAccounts: desk, core } }: DoorSetup): RestRoute[] {
  return [
    v2Route('subAccounts', (_params, call) =>
      encodeV2SubAccounts(desk.registry.of(accountOf(call)).map((seat) => seat.row('number'))),
    ),
    v2Route('freezeSubAccounts', ({ ids }, call) =>
      withSeats(desk, call, ids, (seats) => {
        const out = seats.find((seat) => seat.isOut);
        if (out !== undefined) return failed(`account ${out.number} already freeze or disabled`);
        for (const seat of seats) desk.freeze(seat);
        return { result: true };
      }),
    ),
    v2Route('activateSubAccounts', ({ ids }, call) =>
      withSeats(desk, call, ids, (seats) => ({
        result: seats.map((seat) => desk.activate(seat)).every((activated) => activated),
      })),
    ),
    v2Route('subAccountTransfer', ({ subAccountId, type, ...what }, call) =>
      withSeat(desk, call, subAccountId, (seat) => {
        if (seat.isOut) return failed('Bad Request');
        const result = desk.transfer(seat, type === 'deposit' ? 'toSub' : 'fromSub', what, accountOf(call));
        return result instanceof Refusal ? result : { result };
      }),
    ),
    v2Route('subAccountAcl', ({ subAccountIds }, call) =>
      withSeats(desk, call, subAccountIds, (seats) =>
        // Frozen and disabled ones have none to show.
        aclsOf(seats.filter((seat) => !seat.isOut)),
      ),
    ),
    v2Route('changeSubAccountAcl', ({ subAccountId, isPayoutEnabled, description }, call) =>
      withSeat(desk, call, subAccountId, (seat) => {
        if (seat.isOut) return refuse(10_021);
        seat.changeAcl({ withdrawEnabled: isPayoutEnabled, description }, core.now());
        return aclsOf([seat]);
      }),
    ),
    v2Route('subAccountBalance', ({ subAccountId }, call) =>
      withSeat(desk, call, subAccountId, (seat) => encodeV2SubAccountBalances(desk.balances(seat))),
    ),
    v2Route('subAccountDepositAddress', ({ subAccountId, currency, networkCode }, call) =>
      withSeat(desk, call, subAccountId, (seat) => {
        if (seat.isOut) return refuse(10_021);
        const address = desk.address(seat, currency, networkCode);
        return address instanceof Refusal ? address : encodeV2SubAccountAddress(address);
      }),
    ),
  ];
}

function withSeats(
  desk: SubAccountDesk,
  call: RestCall,
  ids: readonly string[],
  run: (seats: readonly SubAccountSeat[]) => RestResult,
): RestResult {
  const picked = desk.pick(accountOf(call), ids);
  return 'unknown' in picked ? notFound(picked.unknown) : run(picked.seats);
}

function withSeat(
  desk: SubAccountDesk,
  call: RestCall,
  id: string,
  run: (seat: SubAccountSeat) => RestResult,
): RestResult {
  const seat = desk.registry.find(accountOf(call), id);
  return seat === undefined ? notFound(id) : run(seat);
}

function aclsOf(seats: readonly SubAccountSeat[]): object {
  return encodeV2Acls(seats.map((seat) => seat.acl('number')));
}

/** v2 answers what it cannot do with 500 and a sentence. Source: v2-gaps, section 3. */
function failed(description: string): Refusal {
  return refuse(500, { description });
}

function notFound(id: string): Refusal {
  return failed(`Cannot find sub account ${id.slice(0, 40)}`);
}
