import type { Micros } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Command } from '../model/command.ts';
import type { LatencyOptions } from './options.ts';

/** How long things take between us and the simulated venue. Never negative. */
export interface Latency {
  /** From our door to the venue's engine. */
  entry(command: Command): Micros;
  /** From the engine back to us: reports, answers, balances. */
  report(): Micros;
}

/** The same every time. */
export function constantLatency(entry: Micros, report: Micros): Latency {
  return { entry: () => entry, report: () => report };
}

/** What the options describe; each way throws its own dice. */
export function latencyOf(entry: LatencyOptions, report: LatencyOptions, random: Random): Latency {
  return { entry: wayOf(entry, random.fork('entry')), report: wayOf(report, random.fork('report')) };
}

/**
 * One way: always the same, evenly spread from `low` to `high`, or a base with an exponential tail cut at `max`,
 * which is how networks behave.
 */
function wayOf(way: LatencyOptions, dice: Random): () => Micros {
  switch (way.kind) {
    case 'constant':
      return () => way.micros as Micros;
    case 'uniform':
      return () => dice.between(way.low, way.high) as Micros;
    case 'exponential':
      return () => Math.min(way.max, way.base + Math.round(dice.exponential(way.tailMean))) as Micros;
  }
}
