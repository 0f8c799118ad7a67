import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { onStopSignal } from '../../src/app/process/stop-signal.ts';
import { micros, millis } from '../../src/core/base/clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';

function watched() {
  const signals = new EventEmitter();
  const clock = new VirtualClock(micros(1_000_000));
  const received: string[] = [];
  const letGo = onStopSignal(
    (cause) => received.push(`stop ${cause}`),
    (cause) => received.push(`now ${cause}`),
    signals,
    clock,
  );
  return { signals, clock, received, letGo };
}

test('a signal that comes several times at once, as to a whole group of processes, is one', () => {
  const { signals, clock, received } = watched();
  for (const after of [0, 0, 3, 400]) {
    clock.advance(millis(after));
    signals.emit('SIGTERM');
  }
  signals.emit('SIGINT');
  signals.emit('SIGHUP');
  expect(received).toEqual(['stop SIGTERM']);
});

test('SIGHUP that means something else is no stop, however often it comes', () => {
  const signals = new EventEmitter();
  const received: string[] = [];
  const clock = new VirtualClock(micros(1_000_000));
  const note = (what: string) => (): void => void received.push(what);
  const letGo = onStopSignal(note('stop'), note('now'), signals, clock, note('hung up'));
  signals.emit('SIGHUP');
  clock.advance(millis(600));
  signals.emit('SIGHUP');
  signals.emit('SIGTERM');
  expect(received).toEqual(['hung up', 'hung up', 'stop']);
  letGo();
  signals.emit('SIGHUP');
  expect(received).toHaveLength(3);
});

test('a second one, later, is impatient; and no signal is handled after it is released', () => {
  const { signals, clock, received, letGo } = watched();
  signals.emit('SIGINT');
  clock.advance(millis(500));
  signals.emit('SIGTERM');
  expect(received).toEqual(['stop SIGINT', 'now SIGTERM']);
  letGo();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) signals.emit(signal);
  expect(received).toHaveLength(2);
});
