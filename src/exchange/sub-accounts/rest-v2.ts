import {
  subAccount,
  subAccountAcl,
  subAccountAddress,
  subAccountBalances,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { Core, Refusal } from '../base/index.ts';
import { refuse, written } from '../base/index.ts';
import type { RestRoute } from '../http/index.ts';
import { routeAccount, v2Route } from '../http/index.ts';
import { PickedSubAccounts } from './picked.ts';
import type { SubAccountState } from './registry.ts';
import type { SubAccountService } from './service.ts';

/** Sub-accounts of v2. Source: API v2, "Sub-accounts"; v2-gaps, section 3. */
export function v2SubAccountRoutes(service: SubAccountService, core: Core): RestRoute[] {
  const picked = new PickedSubAccounts(service, notFound);
  return [
    v2Route('subAccounts', (_params, call) => ({
      result: service.registry.of(routeAccount(call)).map((sub) => subAccount.v2.write(sub.row('number'))),
    })),
    v2Route('freezeSubAccounts', ({ ids }, call) =>
      picked.all(call, ids, (subs) => {
        const out = subs.find((sub) => sub.isBlocked);
        if (out !== undefined) return failed(`account ${out.number} already freeze or disabled`);
        for (const sub of subs) service.freeze(sub);
        return { result: true };
      }),
    ),
    v2Route('activateSubAccounts', ({ ids }, call) =>
      picked.all(call, ids, (subs) => ({
        result: subs.map((sub) => service.activate(sub)).every((activated) => activated),
      })),
    ),
    v2Route('subAccountTransfer', ({ subAccountId, type, ...what }, call) =>
      picked.one(call, subAccountId, (sub) => {
        if (sub.isBlocked) return failed('Bad Request');
        return written(
          service.transfer(sub, type === 'deposit' ? 'toSub' : 'fromSub', what, routeAccount(call)),
          (result) => ({ result }),
        );
      }),
    ),
    v2Route('subAccountAcl', ({ subAccountIds }, call) =>
      picked.all(call, subAccountIds, (subs) =>
        // Frozen and disabled ones have none to show.
        aclsOf(subs.filter((sub) => !sub.isBlocked)),
      ),
    ),
    v2Route('changeSubAccountAcl', ({ subAccountId, isPayoutEnabled, description }, call) =>
      picked.one(call, subAccountId, (sub) => {
        if (sub.isBlocked) return refuse(10_021);
        sub.changeAcl({ withdrawEnabled: isPayoutEnabled, description }, core.now());
        return aclsOf([sub]);
      }),
    ),
    v2Route('subAccountBalance', ({ subAccountId }, call) =>
      picked.one(call, subAccountId, (sub) => ({
        result: subAccountBalances.v2.write(service.balances(sub)),
      })),
    ),
    v2Route('subAccountDepositAddress', ({ subAccountId, currency, networkCode }, call) =>
      picked.one(call, subAccountId, (sub) => {
        if (sub.isBlocked) return refuse(10_021);
        return written(service.address(sub, currency, networkCode), (address) => ({
          result: subAccountAddress.v2.write(address),
        }));
      }),
    ),
  ];
}

function aclsOf(subs: readonly SubAccountState[]): object {
  return {
    result: subs.map((sub) => {
      const acl = sub.acl('number');
      return subAccountAcl.v2.write({ ...acl, isPayoutEnabled: acl.withdrawEnabled });
    }),
  };
}

/** v2 answers what it cannot do with 500 and a sentence. Source: v2-gaps, section 3. */
function failed(description: string): Refusal {
  return refuse(500, { description });
}

function notFound(id: string): Refusal {
  return failed(`Cannot find sub account ${id.slice(0, 40)}`);
}
