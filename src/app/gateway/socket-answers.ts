import { fail } from '../../core/base/assert.ts';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import type { ReportType } from '../../core/model/event.ts';
import type { Product } from '../../core/model/product.ts';
import type { StateView } from '../../core/state/index.ts';
import type { Faults } from '../../exchange/base/index.ts';
import { Refusal } from '../../exchange/base/index.ts';
import type { Connection, RpcCall } from '../../exchange/sockets/index.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import type { ProgramDesk } from './desk.ts';
import { isOrderOf } from './program-orders.ts';
import type { Reported } from './shown-reports.ts';
import { reportObject, reportText } from './shown-reports.ts';
import type { VenueKnownOrder } from './waits.ts';

export interface GatewayMethodsDeps {
  readonly desk: (program: string) => ProgramDesk;
  readonly clock: Clock;
  readonly faults: Faults;
}

/** The desk of the program that is logged in: there is one wherever a method needs a login. */
export function deskOfSession({ desk }: GatewayMethodsDeps, { session, request }: RpcCall): ProgramDesk {
  return desk(session.account?.name ?? fail('a method ran without a login', { method: request.method }));
}

/** An order as the answer to a request for it: a report; or why there is none. */
export function reported(
  desk: ProgramDesk,
  answer: VenueKnownOrder | Refusal,
  version: WireVersion = 'v3',
): string | object {
  const { state } = desk;
  if (answer instanceof Refusal) return answer;
  if (state instanceof Refusal) return state;
  const report = { order: answer, fill: desk.fills(answer.clientOrderId).at(-1) };
  return version === 'v2' ? reportObject('v2', report, state) : reportText(report, state);
}

/** The same for several orders, without their executions. */
export function reportedOrders(
  desk: ProgramDesk,
  answer: readonly VenueKnownOrder[] | Refusal,
  { version = 'v3', reportType }: { readonly version?: WireVersion; readonly reportType?: ReportType } = {},
): readonly object[] | Refusal {
  const { state } = desk;
  if (answer instanceof Refusal) return answer;
  if (state instanceof Refusal) return state;
  return answer.map((order) => reportObject(version, { order, fill: undefined }, state, reportType));
}

/** Sends each report on an order of a product to a connection, however it was placed: once, or as the faults are switched. */
export function watchOrders(
  { faults }: GatewayMethodsDeps,
  { desk, product, to }: { desk: ProgramDesk; product: Product; to: Connection },
  textOf: (report: Reported, state: StateView) => string,
): Cancel {
  return desk.watch({
    report: (order, fill) => {
      const { state } = desk;
      if (state instanceof Refusal || !isOrderOf(state, product, order)) return;
      const text = textOf({ order, fill }, state);
      faults.tellReport(to, () => to.send(text));
    },
  });
}
