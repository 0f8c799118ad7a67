import type { Micros } from '../../core/base/clock.ts';
import { millis, timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { pause } from '../../core/base/pause.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { configSchema } from '../config/schema.ts';
import type { Config } from '../config/schema.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { createLogger } from '../process/logger.ts';
import type { Output } from '../process/output.ts';
import { runs, thisProcess } from '../process/alive.ts';
import { exitCodeOfStop } from '../process/stop-signal.ts';
import { untilStopped } from '../process/until-stopped.ts';
import { OwnWay } from './own-way.ts';
import { sentinelVariable } from './handed-setting.ts';
import { killedSince, readBeat, readLease, readSentinel, writeSentinel } from './run-files.ts';
import type { SentinelSeam } from './watch.ts';
import { Watch } from './watch.ts';

export interface SentinelSetting {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** The lease of the daemon that started it; without one it watches every daemon of the run directory, one after the other. */
  readonly epoch: number | undefined;
}

/** The setting that a daemon handed over. Throws where it is none. */
export function handedSetting(
  environment: SentinelSetting['environment'],
): Pick<SentinelSetting, 'config' | 'epoch'> {
  const { epoch, config } = JSON.parse(environment[sentinelVariable] ?? '') as {
    readonly epoch: number;
    readonly config: unknown;
  };
  return { epoch, config: configSchema.parse(config) };
}

const lookEvery = millis(100);

/** Watches the daemon of a run directory and cancels its orders when it is gone, stands still, or is killed by a file. */
export async function runSentinel(setting: SentinelSetting): Promise<number> {
  const { config, output, epoch } = setting;
  const clock = new SystemClock();
  const { directory } = config.run;
  const self = thisProcess();
  const other = readSentinel(directory);
  if (epoch === undefined && other?.startedBy === 'service' && other.stage !== 'ended' && runs(other))
    throw new BadInput(`another sentinel, process ${other.pid}, watches ${directory} already; stop it first`);
  const seam = seamOf(directory);
  const way = await OwnWay.of({
    ...setting,
    clock,
    log: createLogger({ level: config.log.level }),
    mayCancel: () => watch.mayCancel,
  });
  const life = new AbortController();
  const stopped = untilStopped({ clock, forMs: undefined, onHangUp: () => {} });
  void stopped.then(() => life.abort());
  const say = (line: string): void => output.progress(`${timeText(clock.now())} sentinel: ${line}`);
  say(`Process ${self.pid} for ${directory}, prefix ${config.orders.idPrefix}-.`);
  const watch: Watch = new Watch({
    clock,
    seam,
    judge: { epoch, silence: millis(config.sentinel.silenceMs), every: lookEvery },
    self,
    say,
    signal: life.signal,
    terms: way.terms,
    open: () => way.open(),
    trouble: () => way.trouble,
  });
  void way.watch((delay: Micros) => pause(clock, delay, life.signal), life.signal);
  await watch.run();
  return life.signal.aborted ? exitCodeOfStop(await stopped) : exitCodes.done;
}

/** The files of the run directory, and the processes that they name. */
function seamOf(directory: string): SentinelSeam {
  return {
    look: () => {
      const lease = readLease(directory);
      return {
        lease,
        beat: readBeat(directory),
        isRunning: lease !== undefined && runs(lease),
        isKilled: killedSince(directory) !== undefined,
      };
    },
    epoch: () => readLease(directory)?.epoch,
    write: (state) => {
      try {
        writeSentinel(directory, state);
      } catch {
        // A full disk, or a directory that was removed: what matters is the account.
      }
    },
  };
}
