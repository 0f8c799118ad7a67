import type { Micros } from '../core/base/clock.ts';
import type { Random } from '../core/base/random.ts';
import type { Command } from '../core/model/command.ts';
import type { LatencyOptions } from './options.ts';

/** How long things take between us and the simulated venue. Never negative. `now` is when they set out. */
export interface Latency {
  /** From the client to the venue's engine. */
  entry(command: Command, now: Micros): Micros;
  /** From the engine back to us: reports, answers, balances. */
  report(now: Micros): Micros;
}

/** One way: how long what sets out at `now` takes. */
export type LatencyWay = (now: Micros) => Micros;

/** Latency that the options describe; each direction has its own random stream. */
export function latencyOf(entry: LatencyOptions, report: LatencyOptions, random: Random): Latency {
  return joinWays(wayOf(entry, random.fork('entry')), wayOf(report, random.fork('report')));
}

/** Two ways as one latency. */
export function joinWays(entry: LatencyWay, report: LatencyWay): Latency {
  return { entry: (_command, now) => entry(now), report };
}

/**
 * One way: always the same, evenly spread from `low` to `high`, or a base with an exponential tail cut at `max`,
 * which is how networks behave.
 */
export function wayOf(way: LatencyOptions, random: Random): LatencyWay {
  switch (way.kind) {
    case 'constant':
      return () => way.micros as Micros;
    case 'uniform':
      return () => random.between(way.low, way.high) as Micros;
    case 'exponential':
      return () => Math.min(way.max, way.base + Math.round(random.exponential(way.tailMean))) as Micros;
  }
}

/** Each draw is one of the measured latencies, all alike: their distribution without its order in time. */
export function measuredWay(micros: readonly number[], random: Random): LatencyWay {
  return () => micros[random.between(0, micros.length - 1)] as Micros;
}

/**
 * Between two measurements on a straight line, by the time at which something sets out; before the first and after the
 * last like those. `times` ascend.
 */
export function interpolatedWay(times: readonly number[], micros: readonly number[]): LatencyWay {
  let at = 0;
  return (now) => {
    // Time never goes back, so the search goes on from where the last one ended.
    while (at + 1 < times.length && (times[at + 1] as number) <= now) at += 1;
    const before = times[at] as number;
    const after = times[at + 1];
    const low = micros[at] as number;
    if (after === undefined || now <= before) return low as Micros;
    const share = (now - before) / (after - before);
    return Math.round(low + ((micros[at + 1] as number) - low) * share) as Micros;
  };
}
