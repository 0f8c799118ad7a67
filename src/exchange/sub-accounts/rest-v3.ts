import {
  subAccount,
  subAccountAcl,
  subAccountAddress,
  subAccountBalances,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { SubAccountBalances } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Core, Refusal } from '../base/index.ts';
import { badParameter, refuse, written } from '../base/index.ts';
import type { RestResult, RestRoute } from '../http/index.ts';
import { routeAccount, v3Route } from '../http/index.ts';
import type { SubAccountService } from './service.ts';
import { PickedSubAccounts } from './picked.ts';
import type { SubAccountState } from './registry.ts';

/** Sub-accounts of v3. Source: API v3, "Sub-accounts" and "Sub-account status". */
export function v3SubAccountRoutes(service: SubAccountService, core: Core): RestRoute[] {
  const picked = new PickedSubAccounts(service, notFound);
  return [
    v3Route('subAccounts', (_params, call) =>
      service.registry.of(routeAccount(call)).map((sub) => subAccount.v3.write(sub.row('hex'))),
    ),
    v3Route('freezeSubAccounts', ({ subAccountIds }, call) =>
      picked.all(call, subAccountIds, (subs) => {
        if (subs.some((sub) => sub.isBlocked)) return refuse(21_003);
        for (const sub of subs) service.freeze(sub);
        return { result: true };
      }),
    ),
    v3Route('activateSubAccounts', ({ subAccountIds }, call) =>
      picked.all(call, subAccountIds, (subs) => ({
        result: subs.map((sub) => service.activate(sub)).every((activated) => activated),
      })),
    ),
    v3Route('subAccountAcl', ({ subAccountIds }, call) => {
      const all = service.registry.of(routeAccount(call));
      if (subAccountIds === undefined) return aclsOf(all.filter((sub) => !sub.isBlocked));
      return picked.all(call, subAccountIds, (subs) =>
        subs.some((sub) => sub.isBlocked) ? refuse(21_004) : aclsOf(subs),
      );
    }),
    v3Route('changeSubAccountAcl', ({ subAccountIds, ...change }, call) =>
      picked.all(call, subAccountIds, (subs) => {
        if (subs.some((sub) => sub.isBlocked)) return refuse(21_004);
        for (const sub of subs) sub.changeAcl(change, core.now());
        return aclsOf(subs);
      }),
    ),
    v3Route('subAccountBalance', ({ subAccountId }, call) =>
      picked.one(call, subAccountId, (sub) => balancesOf(service.balances(sub))),
    ),
    v3Route('subAccountCryptoAddress', ({ subAccountId, currency, networkCode }, call) =>
      picked.one(call, subAccountId, (sub) =>
        written(service.address(sub, currency, networkCode), ({ address, paymentId, publicKey }) => ({
          result: subAccountAddress.v3.write({ address, paymentId, publicKey }),
        })),
      ),
    ),
    ...transferRoutes(service, picked),
  ];
}

function transferRoutes(service: SubAccountService, picked: PickedSubAccounts): RestRoute[] {
  return [
    v3Route('subAccountTransfer', ({ subAccountId, type, ...what }, call) =>
      picked.one(call, subAccountId, (sub) => {
        if (sub.isBlocked) return refuse(21_004);
        return idAnswer(
          service.transfer(sub, type === 'to_sub_account' ? 'toSub' : 'fromSub', what, routeAccount(call)),
        );
      }),
    ),
    v3Route('subAccountTransferToSuper', (what, call) => {
      const own = service.registry.subAccountOf(routeAccount(call));
      return own === undefined ? notASub() : idAnswer(service.transfer(own, 'fromSub', what, own.account.id));
    }),
    v3Route('subAccountTransferToSub', ({ subAccountId, ...what }, call) => {
      const own = service.registry.subAccountOf(routeAccount(call));
      if (own === undefined) return notASub();
      const other = service.registry.find(own.parent.id, subAccountId);
      if (other === undefined) return notFound(subAccountId);
      if (other === own) {
        return badParameter('sub_account_id', 'Parameter must name another sub-account');
      }
      return other.isBlocked ? refuse(21_004) : idAnswer(service.transferAcross(own, other, what));
    }),
  ];
}

function aclsOf(subs: readonly SubAccountState[]): object {
  return { result: subs.map((sub) => subAccountAcl.v3.write(sub.acl('hex'))) };
}

/** Each account appears only when it has a balance that is not zero. Source: API v3, "Sub-account and ACL". */
function balancesOf({ wallet, spot }: SubAccountBalances): object {
  return {
    result: subAccountBalances.v3.write({
      wallet: wallet.length > 0 ? wallet : undefined,
      spot: spot.length > 0 ? spot : undefined,
    }),
  };
}

function idAnswer(result: string | Refusal): RestResult {
  return written(result, (id) => ({ result: id }));
}

function notFound(id: string): Refusal {
  return refuse(21_001, { description: `No such sub-account: ${id.slice(0, 40)}` });
}

function notASub(): Refusal {
  return refuse(600, { description: 'Only a sub-account can make this transfer' });
}
