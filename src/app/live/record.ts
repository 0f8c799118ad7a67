import { seconds } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Config } from '../config/schema.ts';
import { Recorder } from '../../data/frames/index.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import { subscriptionsOf } from './subscriptions.ts';
import { channelsOf, prepareLive } from './parts.ts';
import { createLogger } from '../process/logger.ts';
import type { Output } from '../process/output.ts';
import { exitCodeOfStop } from '../process/stop-signal.ts';
import { untilStopped } from '../process/until-stopped.ts';

export interface RecordSetting {
  readonly config: Config;
  readonly output: Output;
  readonly json: boolean;
  readonly forMs: number | undefined;
}

/** Writes every raw frame of the public streams, with both times, to a rotating, compressed frame log. */
export async function runRecord(setting: RecordSetting): Promise<number> {
  const { config, output } = setting;
  const { directory, symbols, ...options } = config.record;
  if (symbols.length === 0)
    throw new ConfigError('record.symbols: expected the symbols to record, found none');
  const clock = new SystemClock();
  const log = createLogger({ level: config.log.level });
  const parts = await prepareLive({ config, environment: {}, clock, log }, false);
  const instruments = parts.listed;
  let halted: Error | undefined;
  let stopEarly = (): void => {};
  const recorder = new Recorder({
    channels: channelsOf(parts.venue),
    folder: directory,
    options,
    instruments: instruments.all.map((instrument) => instrument.spec),
    clock,
    onHalt: (error) => {
      halted = error;
      stopEarly();
    },
  });
  const venue = parts.connection.open({
    instruments,
    budgets: parts.budgets,
    subscriptions: subscriptionsOf(wanted(symbols, instruments), instruments),
    onFrame: (frame) => void recorder.accept(frame),
  });
  const subscription = venue.events.subscribe();
  output.progress(
    `Recording ${symbols.join(', ')} from ${parts.addresses.wsUrl} into ${directory}. Ctrl-C stops.`,
  );
  const showProgress = (): void => {
    const { frames, writtenBytes, segments } = recorder.counters;
    if (!setting.json)
      output.progress(`${frames} frames, ${(writtenBytes / 1_048_576).toFixed(2)} MiB in ${segments} files`);
    cancel = clock.after(seconds(10), showProgress);
  };
  let cancel = clock.after(seconds(10), showProgress);
  const cause = await untilStopped({ clock, forMs: setting.forMs, early: (stop) => (stopEarly = stop) });
  cancel();
  await venue.close();
  subscription.unsubscribe();
  await recorder.close();
  const { counters } = recorder;
  output.data(
    setting.json
      ? JSON.stringify({ directory, ...counters })
      : `Recorded ${counters.frames} frames, ${counters.writtenBytes} bytes in ${counters.segments} files of ${directory}`,
  );
  if (halted !== undefined) throw halted;
  return exitCodeOfStop(cause);
}

function wanted(symbols: readonly string[], instruments: Instruments) {
  return symbols.map((symbol) => {
    const { spec } = instruments.get(symbol);
    const isContract = spec.type === 'futures';
    const feeds = { symbol, book: true, trades: true, ticker: true, candles: ['M1'] as const };
    return isContract ? { ...feeds, contract: true } : feeds;
  });
}
