import { seconds } from '../base/clock.ts';
import { SystemClock } from '../base/system-clock.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config/schema.ts';
import { openRecording } from '../feed/recording.ts';
import { renderReport } from '../report/render-report.ts';
import { runBacktest } from './backtest.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';
import { hasFailed, troubleOf } from './trouble.ts';

export interface BacktestCommand {
  readonly config: Config;
  readonly recordings: readonly string[];
  readonly output: Output;
  readonly json: boolean;
}

/** `godwit backtest`: opens the recording, runs, prints the report and the speed. */
export async function backtestCommand({
  config,
  recordings,
  output,
  json,
}: BacktestCommand): Promise<number> {
  if (config.strategies.length === 0) {
    throw new ConfigError(
      'strategies: expected at least one strategy (in the configuration or by --strategy), found none',
    );
  }
  const clock = new SystemClock();
  const recording = await openRecording(recordings);
  for (const note of recording.notes) output.progress(`data: ${note}`);
  const begun = clock.uptime();
  let told = begun;
  let failed = false;
  const result = await runBacktest({
    config,
    recording,
    watch: (event) => {
      if (!hasFailed(event)) return;
      failed = true;
      output.progress(troubleOf(event) ?? '');
    },
    onProgress: (levelChanges, time) => {
      if (clock.uptime() - told < seconds(10)) return;
      told = clock.uptime();
      output.progress(`${new Date(time / 1_000).toISOString()}  ${levelChanges} level changes`);
    },
  });
  const took = (clock.uptime() - begun) / 1_000_000;
  for (const finding of recording.findings) output.progress(`data: ${finding}`);
  const { report, digest, levelChanges } = result;
  output.data(
    json
      ? JSON.stringify({ ...report, digest, levelChanges })
      : renderReport(report, { colours: output.colour }),
  );
  output.progress(
    `${levelChanges} level changes in ${took.toFixed(2)} s (${(levelChanges / took / 1e6).toFixed(2)} M/s, reading included)`,
  );
  return failed ? exitCodes.failed : exitCodes.done;
}
