import type { Refusal } from '../base/index.ts';
import type { RouteCall, RestResult } from '../http/index.ts';
import { routeAccount } from '../http/index.ts';
import type { SubAccountService } from './service.ts';
import type { SubAccountState } from './registry.ts';

/** The sub-accounts a call names, and what is answered when one of them is not the caller's. */
export class PickedSubAccounts {
  readonly #service: SubAccountService;
  readonly #notFound: (id: string) => Refusal;

  constructor(service: SubAccountService, notFound: (id: string) => Refusal) {
    this.#service = service;
    this.#notFound = notFound;
  }

  /** Answers by `run` for all of them, or not at all. */
  all(
    call: RouteCall,
    ids: readonly string[],
    run: (subs: readonly SubAccountState[]) => RestResult,
  ): RestResult {
    const picked = this.#service.pick(routeAccount(call), ids);
    return 'unknown' in picked ? this.#notFound(picked.unknown) : run(picked.subs);
  }

  one(call: RouteCall, id: string, run: (sub: SubAccountState) => RestResult): RestResult {
    const sub = this.#service.registry.find(routeAccount(call), id);
    return sub === undefined ? this.#notFound(id) : run(sub);
  }
}
