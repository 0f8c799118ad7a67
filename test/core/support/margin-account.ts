import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import type { MarginAccountView, PositionView } from '../../../src/core/model/margin.ts';

/** A position of a margin account as a venue reports it. */
export function heldPosition(
  instrument: InstrumentId,
  quantity: string,
  entry: string,
  fields: Partial<PositionView> = {},
): PositionView {
  return {
    id: instrument + 1,
    instrument,
    mode: 'isolated',
    leverage: parseAmount('10'),
    quantity: parseAmount(quantity),
    pnl: parseAmount('0'),
    feeCumulative: parseAmount('0'),
    entry: parseAmount(entry),
    marginCall: undefined,
    liquidation: undefined,
    createdAt: 1 as Micros,
    updatedAt: 1 as Micros,
    auto: false,
    amr: false,
    ...fields,
  };
}

/** An isolated margin account of the first instrument, unless the fields say otherwise. */
export function marginAccount(balance: string, fields: Partial<MarginAccountView> = {}): MarginAccountView {
  return {
    mode: 'isolated',
    instrument: 0 as InstrumentId,
    currency: 'USD',
    leverage: parseAmount('10'),
    balance: parseAmount(balance),
    reservedOrders: parseAmount('0'),
    reservedPositions: parseAmount('0'),
    callMargin: parseAmount('0'),
    liquidationMargin: parseAmount('0'),
    positions: [],
    called: false,
    auto: false,
    amr: false,
    createdAt: 1 as Micros,
    updatedAt: 1 as Micros,
    ...fields,
  };
}
