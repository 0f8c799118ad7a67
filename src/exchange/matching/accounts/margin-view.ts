import type { Lots } from '../../../core/model/instrument.ts';
import { negate, subtract, zero } from '../../../core/base/amount.ts';
import type { MarginAccountView, PositionView } from '../../../core/model/margin.ts';
import type { MarginAccount, MarginPosition } from './margin.ts';
import { multiplierOf, unrealizedResult } from './margin.ts';
import { boundaryPrice, divide } from '../../../core/model/margin-math.ts';

/** The account as it is now; later changes do not reach it. */
export function viewOf(account: MarginAccount): MarginAccountView {
  return {
    mode: account.mode,
    instrument: account.instrument,
    currency: account.currency,
    leverage: account.leverage,
    balance: account.balance,
    reservedOrders: account.reservedOrders,
    reservedPositions: account.reservedPositions,
    callMargin: account.needed('call'),
    liquidationMargin: account.needed('liquidation'),
    positions: [...account.positions.values()].map((position) => positionView(account, position)),
    called: account.called,
    auto: account.auto,
    amr: account.amr,
    createdAt: account.createdAt,
    updatedAt: account.updatedAt,
  };
}

/** A position of an account as it is now. */
export function positionView(account: MarginAccount, position: MarginPosition): PositionView {
  const { instrument } = position.market;
  const size = instrument.quantityAmount(Math.abs(position.quantity) as Lots);
  const priceAt = (what: 'call' | 'liquidation') =>
    position.quantity === 0
      ? undefined
      : boundaryPrice({
          instrument,
          quantity: position.quantity,
          cost: position.cost,
          margin: subtract(account.equity(position), account.needed(what, position)),
          terms: position.terms,
          multiplier: multiplierOf(position, what),
        });
  return {
    id: position.id,
    instrument: instrument.id,
    mode: account.mode,
    leverage: position.terms.leverage,
    quantity: position.quantity < 0 ? negate(size) : size,
    pnl: unrealizedResult(position),
    feeCumulative: position.feeCumulative,
    entry: size === zero ? zero : divide(position.cost, size),
    marginCall: priceAt('call'),
    liquidation: priceAt('liquidation'),
    createdAt: position.createdAt,
    updatedAt: position.updatedAt,
    auto: account.auto,
    amr: account.amr,
  };
}
