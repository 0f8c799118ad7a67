import type { ReportOutcome } from '../matching/outcome.ts';
import { verifyV2Login } from '../../venues/hitbtc/wire/socket-auth.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/socket-request.ts';
import type { AppSetup } from '../app-setup.ts';
import { Refusal } from '../refusal.ts';
import { memoizeLast } from './memoize-last.ts';
import type { ReportWatcher } from '../orders/reports.ts';
import type { RpcMethod, RpcSession } from './rpc-session.ts';
import { accountOf } from './rpc-session.ts';
import { v2Method } from './method.ts';
import { nonZeroBalances, statusReports } from '../account-views.ts';
import { withV2Instrument } from '../http/instruments.ts';
import { encodeReport, encodeReports } from '../../venues/hitbtc/wire/resources/order-model.ts';
import { onV2Margin } from '../../venues/hitbtc/wire/resources/order-request.ts';
import { walletBalance } from '../../venues/hitbtc/wire/resources/account.ts';

type Login = (session: RpcSession, apiKey: string) => Refusal | undefined;

/** The spot methods of the v2 trading socket. Source: API v2, "Socket methods"; v2-gaps, sections 4.2 and 6. */
export function v2TradingSocketMethods(app: AppSetup, login: Login): ReadonlyMap<string, RpcMethod> {
  const { core, orders, marginService } = app.world;
  const report = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal
      ? outcome
      : encodeReport('v2', outcome, core.instruments.at(outcome.order.instrument));
  return new Map<string, RpcMethod>([
    ['login', loginMethod(app, login)],
    subscribeReports(app),
    v2Method('newOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        params.closePosition
          ? report(marginService.margin.place(accountOf(call), onV2Margin({ ...params, symbol })))
          : report(orders.place(accountOf(call), { ...params, symbol })),
      ),
    ),
    v2Method('cancelOrder', ({ clientOrderId }, call) =>
      report(orders.cancel(accountOf(call), clientOrderId)),
    ),
    v2Method('cancelReplaceOrder', (params, call) => report(orders.replace(accountOf(call), params))),
    v2Method('getOrders', (_params, call) =>
      encodeReports('v2', statusReports(core, accountOf(call)), core.instruments),
    ),
    v2Method('getTradingBalance', (_params, call) =>
      nonZeroBalances(core, accountOf(call)).map((one) => walletBalance.v2.write(one)),
    ),
  ]);
}

function loginMethod({ world, clock }: AppSetup, login: Login): RpcMethod {
  const nonces = new Nonces();
  return {
    right: 'none',
    run({ session, request }) {
      const result = verifyV2Login({
        params: request.params,
        lookup: (apiKey) => world.accounts.secretOf(apiKey),
        now: clock.now(),
        isFreshNonce: (apiKey, nonce) => nonces.use(apiKey, nonce),
      });
      if (!result.ok) return new Refusal(result.error);
      return login(session, result.apiKey) ?? 'true';
    },
  };
}

function subscribeReports({ world: { core, reports } }: AppSetup): [string, RpcMethod] {
  const notice = memoizeLast((outcome: ReportOutcome) =>
    encodeRpcNotification(
      'report',
      encodeReport('v2', outcome, core.instruments.at(outcome.order.instrument)),
    ),
  );
  return v2Method(
    'subscribeReports',
    (_params, call) => {
      const account = accountOf(call);
      const { session } = call;
      const watcher: ReportWatcher = { onReport: (outcome) => session.connection.send(notice(outcome)) };
      session.atEnd('reports', () => reports.unwatchReports(account, watcher));
      reports.watchReports(account, watcher);
      return 'true';
    },
    (call) => {
      const reported = encodeReports('v2', statusReports(core, accountOf(call)), core.instruments);
      call.session.connection.send(encodeRpcNotification('activeOrders', reported));
    },
  );
}

/** Nonces kept per key; beyond this the oldest are forgotten. */
const noncesMax = 10_000;

/** The nonces used per key, so that a login seen on the wire cannot be replayed. */
class Nonces {
  readonly #used = new Set<string>();

  /** Whether the nonce is new for that key; from here on it is not. */
  use(apiKey: string, nonce: string): boolean {
    const entry = `${apiKey} ${nonce}`;
    if (this.#used.has(entry)) return false;
    this.#used.add(entry);
    if (this.#used.size > noncesMax) this.#forget();
    return true;
  }

  #forget(): void {
    let surplus = noncesMax / 10;
    for (const entry of this.#used) {
      if (surplus-- <= 0) return;
      this.#used.delete(entry);
    }
  }
}
