import type { Instrument } from '../../core/model/instrument.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import { encodeV2Order } from '../../venues/hitbtc/wire/v2/encode-orders.ts';
import { encodeV2MarginAccount, encodeV2Position } from '../../venues/hitbtc/wire/v2/margin-rows.ts';
import type { DoorSetup } from '../app-setup.ts';
import { Refusal, refuse } from '../refusal.ts';
import type { RestCall, RestResult, RestRoute } from '../http/rest-route.ts';
import { accountOf, v2Route } from '../http/rest-route.ts';
import { withV2Instrument } from '../http/instruments.ts';

const atMarket = { text: undefined, strict: false };

/** Margin trading of v2. Source: v2-gaps, section 2. */
export function v2MarginRoutes(door: DoorSetup): readonly RestRoute[] {
  return [...accountRoutes(door), ...closingRoutes(door), ...positionRoutes(door), ...orderRoutes(door)];
}

function isolated(instrument: Instrument) {
  return { mode: 'isolated' as const, instrument, currency: instrument.spec.quoteCurrency };
}

function viewsOf({ world: { marginDesk } }: DoorSetup, call: RestCall) {
  return marginDesk.margin.accounts(accountOf(call)).filter(({ mode }) => mode === 'isolated');
}

function accountRoutes(door: DoorSetup): RestRoute[] {
  const { core, marginDesk } = door.world;
  const entry = marginDesk.margin;
  return [
    v2Route('marginAccounts', (_params, call) =>
      viewsOf(door, call).map((view) => encodeV2MarginAccount(view, core.instruments)),
    ),
    v2Route('marginAccount', ({ symbol }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const view = entry.account(accountOf(call), isolated(instrument));
        return view === undefined ? refuse(20_032) : encodeV2MarginAccount(view, core.instruments);
      }),
    ),
    v2Route('marginSetAccount', (params, call) =>
      withV2Instrument(core, params.instrument, ({ symbol }) => {
        const changed = entry.setAccount(accountOf(call), { ...params, instrument: symbol });
        return changed instanceof Refusal ? changed : encodeV2MarginAccount(changed.view, core.instruments);
      }),
    ),
  ];
}

/** Closing an account closes its position at market first. */
function closingRoutes(door: DoorSetup): RestRoute[] {
  const { core, marginDesk, entry: orders } = door.world;
  const entry = marginDesk.margin;
  const close = (call: RestCall, instrument: Instrument): object => {
    const account = accountOf(call);
    orders.cancelAll(entry.wing.of(account), instrument);
    entry.close(account, isolated(instrument), atMarket);
    const zero = { marginMode: 'isolated', instrument: instrument.symbol, marginBalance: '0' };
    const closed = entry.setAccount(account, { ...zero, leverage: undefined, strictValidate: false });
    return closed instanceof Refusal ? closed : encodeV2MarginAccount(closed.view, core.instruments);
  };
  return [
    v2Route('marginCloseAccount', ({ symbol }, call) =>
      withV2Instrument(core, symbol, (instrument) => close(call, instrument)),
    ),
    v2Route('marginCloseAccounts', (_params, call) =>
      viewsOf(door, call).flatMap(({ instrument }) => {
        const closed = instrument === undefined ? undefined : close(call, core.instruments.at(instrument));
        return closed === undefined || closed instanceof Refusal ? [] : [closed];
      }),
    ),
  ];
}

function positionRoutes(door: DoorSetup): RestRoute[] {
  const { core, marginDesk } = door.world;
  const { instruments } = core;
  const entry = marginDesk.margin;
  return [
    v2Route('marginPositions', (_params, call) =>
      viewsOf(door, call).flatMap(({ positions }) =>
        positions.map((position) => encodeV2Position(position, instruments)),
      ),
    ),
    v2Route('marginPosition', ({ symbol }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const [position] = entry.account(accountOf(call), isolated(instrument))?.positions ?? [];
        return position === undefined ? refuse(20_032) : encodeV2Position(position, instruments);
      }),
    ),
    v2Route('marginClosePositions', (_params, call) =>
      entry.closeAll(accountOf(call)).map((position) => encodeV2Position(position, instruments)),
    ),
    v2Route('marginClosePosition', ({ symbol, price, strictValidate }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const how = { text: price, strict: strictValidate };
        const closed = entry.close(accountOf(call), isolated(instrument), how);
        return closed instanceof Refusal ? closed : [encodeV2Position(closed, instruments)];
      }),
    ),
  ];
}

function orderRoutes(door: DoorSetup): RestRoute[] {
  const { core, marginDesk, entry: orders } = door.world;
  const entry = marginDesk.margin;
  const wing = (call: RestCall) => entry.wing.of(accountOf(call));
  const object = ({ order }: Pick<ReportOutcome, 'order'>) =>
    encodeV2Order(order, core.instruments.at(order.instrument));
  const placed = (call: RestCall, outcome: ReportOutcome | Refusal): RestResult => {
    if (outcome instanceof Refusal) return outcome;
    const { order } = outcome;
    const fills = core.log(wing(call)).record(order.venueOrderId)?.fills ?? [];
    return encodeV2Order(order, core.instruments.at(order.instrument), fills);
  };
  const optional = (symbol: string | undefined, run: (instrument: Instrument | undefined) => object) =>
    symbol === undefined ? run(undefined) : withV2Instrument(core, symbol, run);
  return [
    v2Route('marginOrders', ({ symbol }, call) =>
      optional(symbol, (instrument) =>
        core.exchange.activeOrders(wing(call), instrument?.id).map((order) => object({ order })),
      ),
    ),
    v2Route('marginOrder', ({ clientOrderId }, call) => {
      const order = core.exchange.order(wing(call), clientOrderId);
      return order === undefined ? refuse(20_002) : object({ order });
    }),
    v2Route('marginNewOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        placed(call, entry.place(accountOf(call), { ...params, symbol })),
      ),
    ),
    v2Route('marginPutOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        placed(call, entry.place(accountOf(call), { ...params, symbol })),
      ),
    ),
    v2Route('marginCancelOrder', ({ clientOrderId }, call) => {
      const canceled = orders.cancel(wing(call), clientOrderId);
      return canceled instanceof Refusal ? canceled : object(canceled);
    }),
    v2Route('marginCancelOrders', ({ symbol }, call) =>
      optional(symbol, (instrument) => orders.cancelAll(wing(call), instrument).map(object)),
    ),
  ];
}
