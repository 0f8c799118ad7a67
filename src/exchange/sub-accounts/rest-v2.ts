import {
  encodeV2Acls,
  encodeV2SubAccountAddress,
  encodeV2SubAccountBalances,
  encodeV2SubAccounts,
} from '../../venues/hitbtc/wire/v2/sub-accounts.ts';
import type { DoorSetup } from '../app-setup.ts';
import { Refusal, refuse } from '../refusal.ts';
import type { RestRoute } from '../http/rest-route.ts';
import { accountOf, v2Route } from '../http/rest-route.ts';
import { PickedSeats } from './picked-seats.ts';
import type { SubAccountSeat } from './registry.ts';

/** Sub-accounts of v2. Source: API v2, "Sub-accounts"; v2-gaps, section 3. */
export function v2SubAccountRoutes({ world: { subAccounts: desk, core } }: DoorSetup): RestRoute[] {
  const picked = new PickedSeats(desk, notFound);
  return [
    v2Route('subAccounts', (_params, call) =>
      encodeV2SubAccounts(desk.registry.of(accountOf(call)).map((seat) => seat.row('number'))),
    ),
    v2Route('freezeSubAccounts', ({ ids }, call) =>
      picked.all(call, ids, (seats) => {
        const out = seats.find((seat) => seat.isOut);
        if (out !== undefined) return failed(`account ${out.number} already freeze or disabled`);
        for (const seat of seats) desk.freeze(seat);
        return { result: true };
      }),
    ),
    v2Route('activateSubAccounts', ({ ids }, call) =>
      picked.all(call, ids, (seats) => ({
        result: seats.map((seat) => desk.activate(seat)).every((activated) => activated),
      })),
    ),
    v2Route('subAccountTransfer', ({ subAccountId, type, ...what }, call) =>
      picked.one(call, subAccountId, (seat) => {
        if (seat.isOut) return failed('Bad Request');
        const result = desk.transfer(seat, type === 'deposit' ? 'toSub' : 'fromSub', what, accountOf(call));
        return result instanceof Refusal ? result : { result };
      }),
    ),
    v2Route('subAccountAcl', ({ subAccountIds }, call) =>
      picked.all(call, subAccountIds, (seats) =>
        // Frozen and disabled ones have none to show.
        aclsOf(seats.filter((seat) => !seat.isOut)),
      ),
    ),
    v2Route('changeSubAccountAcl', ({ subAccountId, isPayoutEnabled, description }, call) =>
      picked.one(call, subAccountId, (seat) => {
        if (seat.isOut) return refuse(10_021);
        seat.changeAcl({ withdrawEnabled: isPayoutEnabled, description }, core.now());
        return aclsOf([seat]);
      }),
    ),
    v2Route('subAccountBalance', ({ subAccountId }, call) =>
      picked.one(call, subAccountId, (seat) => encodeV2SubAccountBalances(desk.balances(seat))),
    ),
    v2Route('subAccountDepositAddress', ({ subAccountId, currency, networkCode }, call) =>
      picked.one(call, subAccountId, (seat) => {
        if (seat.isOut) return refuse(10_021);
        const address = desk.address(seat, currency, networkCode);
        return address instanceof Refusal ? address : encodeV2SubAccountAddress(address);
      }),
    ),
  ];
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
