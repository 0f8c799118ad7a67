import type { ReportType } from '../../core/model/event.ts';
import type { Fill } from '../../core/model/order.ts';
import type { StateView } from '../../core/state/index.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import type { DecodedReport } from '../../venues/hitbtc/wire/resources/index.ts';
import { encodeReport } from '../../venues/hitbtc/wire/resources/index.ts';
import { v3ReportText } from '../../venues/hitbtc/wire/v3/index.ts';
import { listMarkOf, marginMembersOf, programOrder } from './shown-orders.ts';
import type { VenueKnownOrder } from './waits.ts';

/** An order, and the execution that a report is of. */
export interface Reported {
  readonly order: VenueKnownOrder;
  readonly fill: Fill | undefined;
}

/** A report of version 3 as text: of its last execution where there is one, else of the state that the order is in. */
export function reportText(reported: Reported, state: StateView): string {
  const { order } = reported;
  return order.margin === undefined
    ? v3ReportText(reportOf(state, reported), state.instruments.at(order.instrument))
    : JSON.stringify(reportObject('v3', reported, state));
}

/** The same as an object. `reportType`: `status` where the report tells how the order stands. */
export function reportObject(
  version: WireVersion,
  reported: Reported,
  state: StateView,
  reportType?: ReportType,
): object {
  const { order } = reported;
  const report = reportOf(state, reported);
  const positionId = report.fill?.positionId;
  const encoded = encodeReport(
    version,
    { ...report, reportType: reportType ?? report.reportType },
    state.instruments.at(order.instrument),
  );
  if (version === 'v2')
    return { ...encoded, ...(positionId !== undefined && { tradePositionId: positionId }) };
  const members = marginMembersOf(order, state);
  return { ...encoded, ...members, ...(positionId !== undefined && { trade_position_id: positionId }) };
}

function reportOf(state: StateView, { order, fill }: Reported): DecodedReport {
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
      // A replacement has what was executed before it.
      return order.originalClientOrderId === undefined ? 'status' : 'replaced';
    case 'filled':
      return 'status';
  }
}

/** An order that ended otherwise, or rests again, is reported for that. */
function tradeOf({ state }: VenueKnownOrder, fill: Fill | undefined): Fill | undefined {
  return state === 'partiallyFilled' || state === 'filled' ? fill : undefined;
}
