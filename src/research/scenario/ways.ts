import type { Random } from '../../core/base/random.ts';
import type { Latency, LatencyWay } from '../../sim/latency.ts';
import { interpolatedWay, joinWays, measuredWay, wayOf } from '../../sim/latency.ts';
import { readLatencyFile } from './latency-file.ts';
import type { LoadedScenario } from './load.ts';
import type { ScenarioWay } from './latency.ts';

/** The latencies of a scenario, each way with dice of its own. */
export interface ScenarioWays {
  readonly latency: Latency;
  /** `undefined`: as recorded. */
  readonly feed: LatencyWay | undefined;
}

/** Reads the files a scenario's latencies need. Throws `BadInput` with file and line. */
export function scenarioWays({ scenario, pathOf }: LoadedScenario, random: Random): ScenarioWays {
  const { feed, entry, report } = scenario.latency;
  const open = (way: ScenarioWay, name: string) => openWay(way, random.fork(name), pathOf);
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

function openWay(way: ScenarioWay, dice: Random, pathOf: (path: string) => string): LatencyWay {
  if (!('file' in way)) return wayOf(way, dice);
  const { times, micros } = readLatencyFile(pathOf(way.file), way.kind);
  return way.kind === 'measured' ? measuredWay(micros, dice) : interpolatedWay(times, micros);
}
