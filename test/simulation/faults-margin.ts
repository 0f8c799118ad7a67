import { add, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { InstrumentId, Ticks } from '../../src/core/model/instrument.ts';
import type { PositionView } from '../../src/core/model/margin.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import { isFuturesAccount, isProductAccount } from '../../src/exchange/matching/accounts/command.ts';
import { loseReports, onOrder, without } from './faults-aimed.ts';
import type { FaultRow, FaultStage, VenueOrderTerms } from './fault.ts';
import { placeAtVenue } from './fault.ts';

/** Faults of seeds that trade on margin: what the market does to positions, and what somebody does to their accounts. */
export const marginFaults = {
  /** The market goes to where a position is liquidated. */
  liquidation: row('M', (stage) => {
    if (moveTo(stage, 'liquidation')) stage.mark();
  }),
  /** The market goes to where margin is called for, and comes back. */
  marginCall: row('M', (stage) => {
    if (moveTo(stage, 'marginCall')) stage.mark();
  }),
  /** A position is liquidated while an order of its kind has no answer. */
  liquidationWhileUnknown: row('M N3', (stage) => {
    onOrder(stage, ({ method, params }) => {
      if (!/^(margin|futures)_new_order$/.test(method)) return false;
      const end = loseReports(stage, params['client_order_id'] ?? '', () => true, true);
      stage.after(stage.random.between(20, 4_000), () => {
        if (moveTo(stage, 'liquidation')) stage.mark();
      });
      stage.after(9_000, end);
      return true;
    });
  }),
  /** Margin is called for while the trading session comes up again. */
  callWhileReconnecting: row('M N1', (stage) => {
    const { system, random } = stage;
    if (positionsOf(stage).length === 0) return;
    system.network.cut('trading');
    system.disturb(6_000);
    stage.after(random.between(1, 1_500), () => {
      if (moveTo(stage, random.chance(0.5) ? 'marginCall' : 'liquidation')) stage.mark();
    });
  }),
  /** Funding and interest are taken while nothing reaches the trader. */
  chargedInOutage: {
    rows: 'M N6',
    isOnMargin: true,
    begin: (stage) => {
      const { system } = stage;
      const left = 60_000 - ((system.time.now() / 1_000) % 60_000);
      stage.after(Math.max(1, left - 2_000), () => {
        if (positionsOf(stage).length > 0) stage.mark();
        system.disturb(11_000);
        for (const road of ['trading', 'rest'] as const) {
          system.network.weather.roads[road].refusedTo = system.time.now() + 5_000_000;
          system.network.cut(road);
        }
      });
    },
  },
  /** Somebody puts margin in, or takes some out, by hand. */
  manualMargin: row('X20', (stage) => {
    const { system, random } = stage;
    const [one] = shuffled(stage, accountsOf(stage));
    if (one === undefined) return;
    stage.mark();
    const { account, owner } = one;
    system.command({
      kind: 'setMargin',
      account: owner,
      mode: account.mode,
      instrument: account.instrument,
      currency: account.currency,
      balance: add(account.balance, parseAmount(String(random.between(1, 9)))),
      leverage: undefined,
    });
  }),
  /** Somebody closes a position of ours by hand. */
  manualClose: row('X20', (stage) => {
    const { system, random } = stage;
    const [one] = shuffled(stage, positionsOf(stage));
    if (one === undefined) return;
    stage.mark();
    system.command({
      kind: 'closePosition',
      account: one.owner,
      mode: one.position.mode,
      instrument: one.position.instrument,
      price: undefined,
      clientOrderId: `hand-${system.elapsedMs}-${random.uint32()}`,
    });
  }),
  /** Somebody closes a position of ours by hand, and neither reports nor histories ever show it: the position does. */
  hiddenClose: row('X20', (stage) => {
    const { system, random } = stage;
    const [one] = shuffled(stage, positionsOf(stage));
    if (one === undefined) return;
    const { mode, instrument } = one.position;
    const outcomes = system.exchange.world.core.handle({
      kind: 'closePosition',
      account: one.owner,
      mode,
      instrument,
      price: undefined,
      clientOrderId: `hidden-${system.elapsedMs}-${random.uint32()}`,
    });
    const reports = outcomes.filter((outcome) => outcome.kind === 'report');
    // The exchange names the order. One of ours that it meets is reported as any other.
    const closing = reports.find(({ reportType }) => reportType === 'new')?.order.clientOrderId;
    const isExecuted = reports.some(
      ({ reportType, order }) => reportType === 'trade' && order.clientOrderId === closing,
    );
    if (isExecuted && closing !== undefined) hideForGood(stage, closing);
  }),
} satisfies Record<string, FaultRow>;

/** No report and no history tells of an order. */
function hideForGood(stage: FaultStage, clientOrderId: ClientOrderId): void {
  const { system } = stage;
  stage.mark();
  system.tower.hidden.add(clientOrderId);
  loseReports(stage, clientOrderId, () => true, true);
  system.network.weather.meddlers.add({
    changed: (request, answer) =>
      request.startsWith('GET ') && answer.text.includes(clientOrderId)
        ? without(clientOrderId, answer)
        : answer,
  });
}

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin, isNarrow: true, isOnMargin: true };
}

interface OpenPosition {
  readonly owner: AccountId;
  readonly position: PositionView;
}

export function accountsOf({ system: { exchange } }: FaultStage) {
  return exchange.accounts
    .filter(isProductAccount)
    .flatMap((owner) =>
      exchange.world.core.exchange.marginAccounts(owner).map((account) => ({ owner, account })),
    );
}

export function positionsOf(stage: FaultStage): readonly OpenPosition[] {
  return accountsOf(stage).flatMap(({ owner, account }) =>
    account.positions.map((position) => ({ owner, position })),
  );
}

export function shuffled<Item>({ random }: FaultStage, items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? [] : [random.pick(items)];
}

/** The price of a position's market goes to a boundary of it. Returns whether one was open that has such a boundary. */
function moveTo(stage: FaultStage, boundary: 'marginCall' | 'liquidation'): boolean {
  const open = positionsOf(stage).filter(({ position }) => position[boundary] !== undefined);
  const [one] = shuffled(stage, open);
  const price = one?.position[boundary];
  if (one === undefined || price === undefined) return false;
  const { instrument, quantity } = one.position;
  if (isFuturesAccount(one.owner)) {
    // Contracts are valued at their mark, which the next look at the index sets anew.
    stage.system.command({ kind: 'setMark', instrument, price });
  } else {
    tradeDownTo(stage, instrument, price, quantity > zero);
  }
  return true;
}

/** Symbols are valued at their last trade: somebody trades through the book, and with the quote at its end. */
export function tradeDownTo(
  stage: FaultStage,
  instrument: InstrumentId,
  price: Ticks,
  isDown: boolean,
): void {
  place(stage, { instrument, price, side: isDown ? 'buy' : 'sell', lots: 10, timeInForce: 'GTC' });
  place(stage, { instrument, price, side: isDown ? 'sell' : 'buy', lots: 400_000, timeInForce: 'IOC' });
}

/** Somebody else places a limit order. Returns its id. */
export function place(
  { system, random }: FaultStage,
  order: Omit<VenueOrderTerms, 'clientOrderId'>,
): ClientOrderId {
  const clientOrderId = `other-${system.elapsedMs}-${random.uint32()}` as ClientOrderId;
  placeAtVenue(system, system.exchange.world.accounts.get('other').id, { ...order, clientOrderId });
  return clientOrderId;
}
