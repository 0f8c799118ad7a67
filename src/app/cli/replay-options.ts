import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { RecordedMarket } from '../recorded-market/open.ts';
import { UsageError } from './errors.ts';
import type { SpanOptions } from './span-options.ts';
import { spanOf, withSpanOptions } from './span-options.ts';

/** Options of an exchange that serves a recorded market, as they were typed. */
export interface ReplayOptions extends SpanOptions {
  readonly replay?: readonly string[];
  readonly speed?: number | 'asked';
  readonly loop?: boolean;
  readonly fills?: 'fifo' | 'queue';
  readonly clock?: 'recorded' | 'wall';
}

export function withReplayOptions(command: Command): Command {
  command
    .option(
      '--replay <recording...>',
      'serve this recorded market instead of a seeded one; several files are one recording',
    )
    .option(
      '--speed <n>',
      'times as fast as it was recorded, or "asked": time goes on as clients ask by POST /replay',
      speedOf,
    );
  return withSpanOptions(command, 'serve the recording')
    .option('--loop', 'begin the recording again at its end')
    .addOption(
      new Option('--fills <model>', 'how own orders meet the recorded ones; fifo when left out').choices([
        'fifo',
        'queue',
      ]),
    )
    .addOption(
      new Option(
        '--clock <time>',
        'what clients see: the time of the recording, or that of the machine; wall when left out, recorded with --speed asked',
      ).choices(['recorded', 'wall']),
    );
}

/** The recorded market that options name; `undefined` where they name none. Throws `UsageError` when they do not go together. */
export function recordedMarketOf(options: ReplayOptions): RecordedMarket | undefined {
  const { replay, speed = 1, loop = false, fills = 'fifo' } = options;
  if (replay === undefined) {
    const alone = (['speed', 'from', 'to', 'loop', 'fills', 'clock'] as const).find(
      (name) => options[name] !== undefined,
    );
    if (alone !== undefined) throw new UsageError(`exchange --${alone}: expected --replay RECORDING with it`);
    return undefined;
  }
  const clock = options.clock ?? (speed === 'asked' ? 'recorded' : 'wall');
  if (speed === 'asked' && clock === 'wall')
    throw new UsageError(
      'exchange --speed asked: expected --clock recorded with it, found wall: time stands still between two requests',
    );
  return { recording: replay, span: spanOf(options), speed, clock, fills, loops: loop };
}

const speedMax = 100_000;

function speedOf(text: string): number | 'asked' {
  if (text === 'asked') return 'asked';
  const speed = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !(speed >= 0.001 && speed <= speedMax))
    throw new InvalidArgumentError(`expected a number from 0.001 to ${speedMax}, or "asked"`);
  return speed;
}
