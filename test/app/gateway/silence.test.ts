import { expect, test } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { Silence } from '../../../src/app/gateway/silence.ts';

function watched(afterMs: number) {
  const clock = new VirtualClock(0 as Micros);
  const said: string[] = [];
  const silence = new Silence({ clock, afterMs, onSilent: (why) => void said.push(why) });
  const pass = (ms: number): void => clock.advanceTo((clock.now() + millis(ms)) as Micros);
  return { silence, said, pass };
}

test('a program without sockets is gone a time after its last request', () => {
  const { silence, said, pass } = watched(1_000);
  silence.noteRequest();
  pass(900);
  silence.noteRequest();
  pass(900);
  expect(said).toEqual([]);
  pass(100);
  expect(said).toEqual(['it asks for nothing, for 1 s']);
});

test('a program with an open socket is there, whether it asks or not', () => {
  const { silence, said, pass } = watched(1_000);
  const first = silence.join();
  const second = silence.join();
  pass(10_000);
  first();
  first();
  silence.noteRequest();
  pass(10_000);
  expect(said).toEqual([]);
  second();
  pass(999);
  const third = silence.join();
  pass(10_000);
  expect(said).toEqual([]);
  third();
  pass(1_000);
  expect(said).toEqual(['its last socket has closed, for 1 s']);
});

test('at 0 a program is gone with its last socket, and its requests say nothing', () => {
  const { silence, said, pass } = watched(0);
  silence.noteRequest();
  pass(60_000);
  expect(said).toEqual([]);
  const end = silence.join();
  end();
  expect(said).toEqual(['its last socket has closed']);
});

test('the start of a run is the beginning of silence, unless a socket is open', () => {
  const { silence, said, pass } = watched(500);
  silence.beginRun();
  pass(500);
  expect(said).toEqual(['no socket of it is open, for 0.5 s']);
  silence.join();
  silence.beginRun();
  pass(60_000);
  expect(said).toHaveLength(1);
});
