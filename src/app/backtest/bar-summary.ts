import type { Amount } from '../../core/base/amount.ts';
import { amountDecimals, zero } from '../../core/base/amount.ts';
import type { InstrumentId, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import type { GateWaits } from '../../research/report/run-details.ts';
import { Summary } from '../../research/report/summary.ts';
import type { BarAccount } from '../../sim/bars/account.ts';
import type { BarFill } from '../../sim/bars/desk.ts';

export interface BarSummarySetting {
  readonly instruments: Instruments;
  readonly account: BarAccount;
  readonly waited: () => GateWaits;
  /** What the account holds at the start. */
  readonly opening: ReadonlyMap<string, Amount>;
  /** What strategies declared first. */
  readonly declared: readonly InstrumentId[];
}

/** The summary of a run on bars: valued at their prices, sampled at their ends. */
export function barSummary({ instruments, account, waited, opening, declared }: BarSummarySetting): Summary {
  return new Summary({
    instruments,
    details: true,
    bars: (id) => account.price(instruments.at(id)),
    waited,
    opening,
    declared,
  });
}

const one = 10n ** BigInt(amountDecimals);

/**
 * What an execution lost in quote currency because its slipped price went on to the next tick. `market`: the price in
 * ticks before slippage, of which `slippage` is a share. 0 for an execution that did not slip.
 */
export function slipRounding(fill: BarFill, market: number, slippage: Amount): Amount {
  const away = Math.abs(fill.price - market);
  if (away === 0) return zero;
  const broken = BigInt(away) * one - BigInt(market) * slippage;
  const lotAtOneTick = fill.instrument.notional(1 as Ticks, fill.quantity as Lots);
  return ((broken * lotAtOneTick) / one) as Amount;
}
