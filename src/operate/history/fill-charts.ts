import type { Cancel, Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { AskCandles } from '../../core/model/market.ts';
import type { ChartHistory } from './candles.ts';
import { candlesMax } from './candle-rows.ts';

export interface FillChartsDeps {
  readonly charts: ChartHistory;
  readonly shown: () => readonly InstrumentId[];
  readonly ask: AskCandles;
  readonly clock: Clock;
}

const lookEvery = seconds(5);
/** Pause behind a question that was not answered. */
const againAfter = seconds(60);

/** Asks the venue for what charts lack, one question after the other. Returns what ends it. */
export function fillCharts({ charts, shown, ask, clock }: FillChartsDeps): Cancel {
  let isClosed = false;
  let cancel: Cancel = () => {};
  const wait = (delay: typeof lookEvery): void => {
    if (!isClosed) cancel = clock.after(delay, () => void look());
  };
  const look = async (): Promise<void> => {
    for (const of of charts.lacking(shown())) {
      const candles = await ask(of.instrument, of.period, candlesMax);
      if (isClosed) return;
      if (candles === undefined) return wait(againAfter);
      charts.takeAsked(of, candles);
    }
    wait(lookEvery);
  };
  wait(seconds(1));
  return () => {
    isClosed = true;
    cancel();
  };
}
