import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { ReplayOptions } from '../../../src/app/cli/replay-options.ts';
import { recordedMarketOf, withReplayOptions } from '../../../src/app/cli/replay-options.ts';

function read(line: string): ReplayOptions {
  const command = withReplayOptions(new Command('exchange')).exitOverride();
  command.configureOutput({ writeErr: () => {} });
  return command.parse(line.split(' ').filter(Boolean), { from: 'user' }).opts();
}

const market = (line: string) => recordedMarketOf(read(line));

test('a recorded market is what the options name', () => {
  expect(market('')).toBeUndefined();
  expect(market('--replay one.pack')).toEqual({
    recording: ['one.pack'],
    span: { start: undefined, end: undefined },
    speed: 1,
    clock: 'wall',
    fills: 'fifo',
    loops: false,
  });
  const whole =
    '--replay a.gz b.gz --speed 2.5 --clock recorded --fills queue --loop --from 2024-01-01 --to 2024-01-02';
  expect(market(whole)).toEqual({
    recording: ['a.gz', 'b.gz'],
    span: { start: Date.parse('2024-01-01') * 1_000, end: Date.parse('2024-01-03') * 1_000 },
    speed: 2.5,
    clock: 'recorded',
    fills: 'queue',
    loops: true,
  });
  expect(market('--replay one.pack --speed asked')).toMatchObject({ speed: 'asked', clock: 'recorded' });
});

test('what does not go together is refused in a sentence', () => {
  expect(() => market('--speed 2')).toThrow('exchange --speed: expected --replay RECORDING with it');
  expect(() => market('--loop')).toThrow('exchange --loop: expected --replay RECORDING with it');
  expect(() => market('--replay a --speed asked --clock wall')).toThrow(
    'exchange --speed asked: expected --clock recorded with it, found wall',
  );
  expect(() => market('--replay a --from 2024-01-02 --to 2024-01-01')).toThrow(
    '--from 2024-01-02 --to 2024-01-01: expected a span that begins before it ends',
  );
  for (const speed of ['0', 'fast', '1e3', '-1', '100001'])
    expect(() => market(`--replay a --speed ${speed}`)).toThrow('expected a number from 0.001 to 100000');
});
