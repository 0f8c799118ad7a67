import type { Random } from '../../core/base/random.ts';
import type { Latency, LatencyWay } from '../../sim/index.ts';
import { interpolatedWay, joinWays, measuredWay, wayOf } from '../../sim/index.ts';
import type { LoadedScenario } from './load.ts';
import type { ScenarioWay } from './latency.ts';
import { BadInput } from '../../core/base/errors.ts';
import { pathBeside, readText } from './read-text.ts';

/** The latencies of a scenario, each way with a random generator of its own. */
export interface ScenarioWays {
  readonly latency: Latency;
  /** `undefined`: as recorded. */
  readonly feed: LatencyWay | undefined;
}

/** Reads the files a scenario's latencies need. Throws `BadInput` with file and line. */
export function scenarioWays({ scenario, file }: LoadedScenario, random: Random): ScenarioWays {
  const { feed, entry, report } = scenario.latency;
  const open = (way: ScenarioWay, name: string) => openWay(way, random.fork(name), file);
  return {
    latency: joinWays(open(entry, 'entry'), open(report, 'report')),
    feed: feed === 'recorded' ? undefined : open(feed, 'feed'),
  };
}

/** One way in words, for the head of a report. */
export function wayText(way: ScenarioWay | 'recorded'): string {
  if (way === 'recorded') return way;
  const { kind, ...parts } = way;
  const shown = Object.entries(parts).map(([name, value]) => {
    const text = typeof value === 'number' ? `${value / 1_000} ms` : value;
    return name === 'micros' || name === 'file' ? text : `${name} ${text}`;
  });
  return `${kind} ${shown.join(' ')}`;
}

function openWay(way: ScenarioWay, random: Random, file: string): LatencyWay {
  if (!('file' in way)) return wayOf(way, random);
  const { times, micros } = readLatencyFile(pathBeside(file, way.file), way.kind);
  return way.kind === 'measured' ? measuredWay(micros, random) : interpolatedWay(times, micros);
}

/** Latencies that were measured: when each began (0 where the file does not say) and how long it took. */
export interface LatencyFile {
  readonly times: readonly number[];
  readonly micros: readonly number[];
}

/** As of a latency of the configuration: more is another unit. */
const latencyMax = 60_000_000;
/** The beginning of 1973 and of 2200: other counts are of another unit than microseconds. */
const timeMin = 94_694_400_000_000;
const timeMax = 7_258_118_400_000_000;

/**
 * Reads a file of latencies in microseconds: one number a line (`kind: measured`), or time and latency separated by a
 * comma, times ascending in microseconds since the epoch (`kind: interpolated`). A first line that begins with a letter
 * is a heading. Throws `BadInput` with file and line.
 */
export function readLatencyFile(path: string, kind: 'measured' | 'interpolated'): LatencyFile {
  const wanted = kind === 'measured' ? 1 : 2;
  const times: number[] = [];
  const micros: number[] = [];
  for (const [index, line] of readText(path, 'a file of latencies').split(/\r?\n/).entries()) {
    if (line.trim() === '' || (index === 0 && /^[A-Za-z"]/.test(line))) continue;
    const cells = line.split(',').map((cell) => (cell.trim() === '' ? Number.NaN : Number(cell)));
    const [time = 0, latency = Number.NaN] = wanted === 1 ? [0, cells[0]] : cells;
    const isTime = wanted === 1 || (Number.isSafeInteger(time) && time >= timeMin && time < timeMax);
    const isLatency = Number.isSafeInteger(latency) && latency >= 0 && latency <= latencyMax;
    if (cells.length !== wanted || !isTime || !isLatency || time < (times.at(-1) ?? 0)) {
      const latencyShape = `a latency in us of ${latencyMax} at most`;
      const shape = wanted === 1 ? latencyShape : `an ascending time in us since 1970 and ${latencyShape}`;
      throw new BadInput(
        `${path}:${index + 1}: expected ${shape}, found ${JSON.stringify(line.slice(0, 80))}`,
      );
    }
    times.push(time);
    micros.push(latency);
  }
  if (micros.length === 0) throw new BadInput(`${path}: expected measured latencies, found none`);
  return { times, micros };
}
