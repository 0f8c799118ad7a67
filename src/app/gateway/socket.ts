import { fail } from '../../core/base/assert.ts';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { ReportType } from '../../core/model/event.ts';
import type { Fill } from '../../core/model/order.ts';
import type { StateView } from '../../core/state/index.ts';
import { Refusal } from '../../exchange/base/index.ts';
import type { RpcCall, RpcMethod } from '../../exchange/sockets/index.ts';
import { Replies, v3Method } from '../../exchange/sockets/index.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { DecodedReport } from '../../venues/hitbtc/wire/resources/index.ts';
import { encodeOrder, encodeReport, spotBalance } from '../../venues/hitbtc/wire/resources/index.ts';
import type { V3MethodName } from '../../venues/hitbtc/wire/v3/index.ts';
import { v3Methods, v3OrderNoticeText, v3ReportText } from '../../venues/hitbtc/wire/v3/index.ts';
import { notServed } from './denials.ts';
import type { ProgramDesk } from './desk.ts';
import { balanceOf, heldBalances, readState, spotFee, spotFees } from './reads.ts';
import { listMarkOf, programOrder } from './shown-orders.ts';
import type { VenueKnownOrder } from './waits.ts';

export interface GatewayMethodsDeps {
  readonly desk: (program: string) => ProgramDesk;
  readonly clock: Clock;
}

/** Methods of the v3 trading socket but for `login`: those of spot, and a refusal for each of the others. */
export function gatewayMethods(deps: GatewayMethodsDeps): ReadonlyMap<string, RpcMethod> {
  const served = new Map<string, RpcMethod>([
    ...orderMethods(deps),
    ...reportMethods(deps),
    ...balanceMethods(deps),
    ...balanceFeed(deps),
  ]);
  const names = (Object.keys(v3Methods) as V3MethodName[]).filter((name) => name !== 'login');
  const refused = names
    .filter((name) => !served.has(name))
    .map((name) => v3Method(name, () => notServed(`The gateway does not serve ${name}`)));
  return new Map([...served, ...refused]);
}

function orderMethods(deps: GatewayMethodsDeps): [string, RpcMethod][] {
  const deskOf = (call: RpcCall): ProgramDesk => deps.desk(programOfSession(call));
  return [
    v3Method('spot_new_order', async (params, call) => {
      const desk = deskOf(call);
      return answered(desk, await desk.orders.place('spot', params));
    }),
    v3Method('spot_new_order_list', async (params, call) => {
      const desk = deskOf(call);
      const orders = await desk.orders.placeList('spot', params);
      return orders instanceof Refusal ? orders : readState(desk, (state) => repliesOf(state, orders));
    }),
    v3Method('spot_replace_order', async (params, call) => {
      const desk = deskOf(call);
      return answered(desk, await desk.orders.replace('spot', params));
    }),
    v3Method('spot_cancel_order', async ({ clientOrderId }, call) => {
      const desk = deskOf(call);
      return answered(desk, await desk.orders.cancel('spot', clientOrderId));
    }),
    v3Method('spot_cancel_orders', async (_params, call) => {
      const desk = deskOf(call);
      return listed(desk, await desk.orders.cancelAll('spot', undefined));
    }),
    v3Method('spot_get_orders', (_params, call) =>
      listed(deskOf(call), deskOf(call).active('spot', undefined), 'status'),
    ),
  ];
}

/** Reports on orders of the program, however they were placed. Source: v3-gaps, section 2.3. */
function reportMethods(deps: GatewayMethodsDeps): [string, RpcMethod][] {
  const deskOf = (call: RpcCall): ProgramDesk => deps.desk(programOfSession(call));
  return [
    v3Method(
      'spot_subscribe',
      (_params, call) => {
        const desk = deskOf(call);
        const { connection } = call.session;
        const unwatch = desk.watch({
          report: (order, fill) => {
            const text = reportText(desk, order, fill);
            if (text !== undefined) connection.send(v3OrderNoticeText(text));
          },
        });
        call.session.atEnd('reports', unwatch);
        return 'true';
      },
      (call) => {
        const desk = deskOf(call);
        const { state } = desk;
        if (state instanceof Refusal) return;
        const orders = listed(desk, desk.live('spot', state), 'status');
        if (!(orders instanceof Refusal))
          call.session.connection.send(encodeRpcNotification('spot_orders', orders));
      },
    ),
    v3Method('spot_unsubscribe', (_params, call) => {
      call.session.atEnd('reports', () => {});
      return 'true';
    }),
  ];
}

function balanceMethods(deps: GatewayMethodsDeps): [string, RpcMethod][] {
  const within = (call: RpcCall, read: Parameters<typeof readState<object>>[1]): object =>
    readState(deps.desk(programOfSession(call)), read);
  return [
    v3Method('spot_balances', (_params, call) => within(call, heldBalances)),
    v3Method('spot_balance', ({ currency }, call) =>
      within(call, (state, one) =>
        balanceOf(state, { currency, desk: one }, (balance) => spotBalance.v3.write(balance)),
      ),
    ),
    v3Method('spot_fees', (_params, call) => within(call, (state) => spotFees(state))),
    v3Method('spot_fee', ({ symbol }, call) => within(call, (state) => spotFee(state, symbol))),
  ];
}

const batch = seconds(1);

/** Balances as they change: with each change, or at most once a second. Source: v3-gaps, section 2.3. */
function balanceFeed({ desk, clock }: GatewayMethodsDeps): [string, RpcMethod][] {
  const send = (call: RpcCall): void => {
    const balances = readState(desk(programOfSession(call)), heldBalances);
    if (balances instanceof Refusal) return;
    call.session.connection.send(encodeRpcNotification('spot_balance', balances));
  };
  return [
    v3Method(
      'spot_balance_subscribe',
      ({ mode }, call) => {
        let cancel: Cancel | undefined;
        const later = (): void => {
          cancel ??= clock.after(batch, () => {
            cancel = undefined;
            send(call);
          });
        };
        const balances = mode === 'updates' ? () => send(call) : later;
        const unwatch = desk(programOfSession(call)).watch({ balances });
        call.session.atEnd('balances', () => {
          cancel?.();
          unwatch();
        });
        return 'true';
      },
      send,
    ),
    v3Method('spot_balance_unsubscribe', (_params, call) => {
      call.session.atEnd('balances', () => {});
      return 'true';
    }),
  ];
}

/** The program that is logged in: there is one wherever a method needs a login. */
function programOfSession({ session, request }: RpcCall): string {
  return session.account?.name ?? fail('a method ran without a login', { method: request.method });
}

function answered(desk: ProgramDesk, answer: VenueKnownOrder | Refusal): string | Refusal {
  if (answer instanceof Refusal) return answer;
  return (
    reportText(desk, answer, desk.fills(answer.clientOrderId).at(-1)) ?? notServed('The daemon is starting')
  );
}

function listed(
  desk: ProgramDesk,
  answer: readonly VenueKnownOrder[] | Refusal,
  reportType?: ReportType,
): readonly object[] | Refusal {
  const { state } = desk;
  if (answer instanceof Refusal || state instanceof Refusal) return answer instanceof Refusal ? answer : [];
  return answer.map((order) => {
    const report = reportOf(state, order, undefined);
    const { instruments } = state;
    return encodeReport(
      'v3',
      { ...report, reportType: reportType ?? report.reportType },
      instruments.at(order.instrument),
    );
  });
}

/** One reply for each order of a list. Source: v3-gaps, section 2.3. */
function repliesOf(state: StateView, orders: readonly VenueKnownOrder[]): Replies {
  return new Replies(
    orders.map((order) =>
      encodeOrder('v3', programOrder(order, state), state.instruments.at(order.instrument), {
        list: listMarkOf(order, state),
      }),
    ),
  );
}

function reportText(desk: ProgramDesk, order: VenueKnownOrder, fill: Fill | undefined): string | undefined {
  const { state } = desk;
  if (state instanceof Refusal) return undefined;
  return v3ReportText(reportOf(state, order, fill), state.instruments.at(order.instrument));
}

/** A report as the documents have it: of its last execution where there is one, else of the state that the order is in. */
function reportOf(state: StateView, order: VenueKnownOrder, fill: Fill | undefined): DecodedReport {
  return {
    reportType: reportTypeOf(order, fill),
    order: programOrder(order, state),
    fill: tradeOf(order, fill),
    list: listMarkOf(order, state),
  };
}

function reportTypeOf(order: VenueKnownOrder, fill: Fill | undefined): ReportType {
  if (tradeOf(order, fill) !== undefined) return 'trade';
  switch (order.state) {
    case 'new':
      return order.originalClientOrderId === undefined ? 'new' : 'replaced';
    case 'suspended':
    case 'canceled':
    case 'expired':
      return order.state;
    case 'partiallyFilled':
    case 'filled':
      return 'status';
  }
}

/** An order that ended otherwise, or rests again, is reported for that. */
function tradeOf({ state }: VenueKnownOrder, fill: Fill | undefined): Fill | undefined {
  return state === 'partiallyFilled' || state === 'filled' ? fill : undefined;
}
