import type { Amount } from '../../../../src/core/base/amount.ts';
import { negate, parseAmount, zero } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { seconds } from '../../../../src/core/base/clock.ts';
import type { CommandSettled, MarginAccountChanged } from '../../../../src/core/model/event.ts';
import type { Lots } from '../../../../src/core/model/instrument.ts';
import type {
  MarginAccountView,
  MarginChange,
  MarginMark,
  MarginMode,
  PositionView,
} from '../../../../src/core/model/margin.ts';
import type { OrderRequest } from '../../../../src/core/model/order.ts';
import type { WorldParts } from './world.ts';
import { World } from './world.ts';

/** Symbols of the world: one with margin trading at a leverage of 10, and a contract. */
export const margined = 1;
export const contract = 2;

export const isolated: MarginMark = {
  mode: 'isolated',
  reduceOnly: false,
  closePosition: false,
  auto: false,
};
export const reducing: MarginMark = { ...isolated, reduceOnly: true };

/** A world that trades all products, with a live book of the contract beside the others. */
export function marginWorld(parts: WorldParts = {}): World {
  const world = new World({ products: ['spot', 'margin', 'futures'], ...parts });
  world.market(contract);
  return world;
}

interface AccountParts {
  readonly index?: number;
  readonly mode?: MarginMode;
  readonly balance?: string;
  /** Signed lots of the one position, bought or sold at 100.00. */
  readonly lots?: number;
  readonly changes?: Partial<MarginAccountView>;
}

/** A margin account with at most one position; what the position needs is reserved as the venue does. */
export function accountOf(world: World, parts: AccountParts = {}): MarginAccountView {
  const { index = margined, mode = 'isolated', balance = '100', lots = 0, changes = {} } = parts;
  const now = world.clock.now();
  const times = { createdAt: 1 as Micros, updatedAt: now };
  const leverage = mode === 'isolated' ? parseAmount('10') : undefined;
  return {
    mode,
    instrument: mode === 'isolated' ? world.instrument(index).id : undefined,
    currency: 'BBB',
    leverage,
    balance: parseAmount(balance),
    reservedOrders: zero,
    // V x ((1 + f) / L + f) at leverage 10 and a fee of 0.002.
    reservedPositions: (parseAmount('0.1022') * BigInt(Math.abs(lots)) * 10n) as Amount,
    callMargin: zero,
    liquidationMargin: zero,
    positions: lots === 0 ? [] : [positionOf(world, { index, mode, lots })],
    called: false,
    auto: false,
    amr: false,
    ...times,
    ...changes,
  };
}

function positionOf(
  world: World,
  { index, mode, lots }: { readonly index: number; readonly mode: MarginMode; readonly lots: number },
): PositionView {
  const instrument = world.instrument(index);
  const size = instrument.quantityAmount(Math.abs(lots) as Lots);
  const now = world.clock.now();
  return {
    id: 1,
    instrument: instrument.id,
    mode,
    leverage: parseAmount('10'),
    quantity: lots > 0 ? size : negate(size),
    pnl: zero,
    feeCumulative: zero,
    entry: parseAmount('100'),
    marginCall: undefined,
    liquidation: undefined,
    createdAt: now,
    updatedAt: now,
    auto: false,
    amr: false,
  };
}

/** The venue reports a margin account. */
export function reportAccount(
  world: World,
  parts: AccountParts = {},
  how: Partial<Pick<MarginAccountChanged, 'reason' | 'reportType'>> = {},
): void {
  world.step({
    kind: 'marginAccount',
    ...world.times,
    product: (parts.index ?? margined) === contract ? 'futures' : 'margin',
    reportType: 'updated',
    reason: 'status',
    account: accountOf(world, parts),
    ...how,
  });
}

/** A strategy holds so many lots of a margin account, by an order that executed at 100.00; the account shows it. */
export function holdMargin(world: World, lots: number, parts: AccountParts = {}): void {
  const { index = margined, mode = 'isolated', balance = '100' } = parts;
  reportAccount(world, { ...parts, lots: 0, balance });
  const id = world.rest({
    instrument: world.instrument(index).id,
    side: lots > 0 ? 'buy' : 'sell',
    quantity: Math.abs(lots) as Lots,
    price: 10_000 as OrderRequest['price'],
    margin: { ...isolated, mode },
  });
  world.fill(id, Math.abs(lots));
  reportAccount(world, { ...parts, lots, balance }, { reason: 'openTrade' });
  // What is asked for next is no duplicate.
  world.clock.advance(seconds(1));
}

export function changeOf(world: World, change: Partial<MarginChange> = {}): MarginChange {
  return {
    product: 'margin',
    mode: 'isolated',
    instrument: world.instrument(margined).id,
    currency: 'BBB',
    balance: undefined,
    leverage: undefined,
    ...change,
  };
}

/** Asks for a change of margin; the code of the denial, or `pending`. */
export function wantChange(world: World, change: Partial<MarginChange>): string {
  const [verdict] = world.want({
    action: 'changeMargin',
    strategy: 'maker',
    change: changeOf(world, change),
  });
  return verdict?.kind === 'marginDenied' ? verdict.denial.code : 'pending';
}

/** The last change of margin that left ends on the wire. */
export function settleChange(world: World, outcome: CommandSettled['outcome']): void {
  const commandId = world.ofKind('marginPending').at(-1)?.command.commandId ?? 0;
  world.step({
    kind: 'commandSettled',
    ...world.times,
    commandId,
    lane: 'replace',
    outcome,
    clientOrderId: undefined,
  });
}
