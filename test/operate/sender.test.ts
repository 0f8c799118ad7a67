import { describe, expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { KeptNews } from '../../src/operate/sender.ts';
import { NewsSender, PlaceBusy } from '../../src/operate/sender.ts';

/** A place that is away until it is not, and all that it was sent. */
class Place {
  readonly clock = new VirtualClock(1_700_000_000_000_000 as Micros);
  readonly name = 'place';
  /** By attempt: seconds since the start, and the texts. */
  readonly attempts: (readonly [number, readonly string[]])[] = [];
  /** Why it does not take what comes. */
  fails: (() => Error) | undefined;
  kept: readonly KeptNews[] = [];

  async send(texts: readonly string[]): Promise<void> {
    this.attempts.push([(this.clock.now() - 1_700_000_000_000_000) / 1_000_000, texts]);
    if (this.fails !== undefined) throw this.fails();
  }

  sender(): NewsSender {
    const store = { earlier: () => this.kept, keep: (news: readonly KeptNews[]) => void (this.kept = news) };
    return new NewsSender(this, store, this.clock, silentLogger);
  }

  async pass(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      this.clock.advance(seconds(1));
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    }
  }

  get last(): readonly string[] {
    return this.attempts.at(-1)?.[1] ?? [];
  }
}

const away = (): Error => new Error('away');

describe('what is kept', () => {
  test('arrives when the place is back after ten minutes, the newest state first, with its time', async () => {
    const place = new Place();
    const sender = place.sender();
    place.fails = away;
    sender.add('started', false);
    sender.add('halted', true);
    await place.pass(300);
    sender.add('goes on', true);
    sender.add('limit', true);
    await place.pass(300);
    expect(place.kept.map(({ text }) => text)).toEqual(['halted', 'goes on', 'limit']);
    place.fails = undefined;
    await place.pass(60);
    expect(place.last).toEqual([
      '2023-11-14T22:18:20.000Z: limit',
      '2023-11-14T22:18:20.000Z: goes on',
      '2023-11-14T22:13:20.000Z: halted',
      '2023-11-14T22:13:20.000Z: started',
    ]);
    expect(place.kept).toEqual([]);
    const [[, first] = []] = place.attempts;
    expect(first).toEqual(['started']);
    // At most a minute passes between two attempts, and not two come in a second.
    const times = place.attempts.map(([time]) => time);
    const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect([Math.max(...pauses) <= 60, Math.min(...pauses) >= 1]).toEqual([true, true]);
  });

  test('is reported again by the next run when this one ends before, and no sooner than the place allows', async () => {
    const place = new Place();
    const first = place.sender();
    place.fails = () => new PlaceBusy('later', 40);
    first.add('halted', true);
    await place.pass(10);
    expect(place.attempts.map(([time]) => time)).toEqual([0]);
    first.add('margin call', true);
    expect(await first.close()).toEqual(place.kept);
    expect(place.attempts).toHaveLength(1);
    place.fails = undefined;
    await place.pass(100);
    expect(place.attempts).toHaveLength(1);
    const second = place.sender();
    second.adopt(place.kept);
    second.add('started', false);
    await place.pass(2);
    expect(place.attempts.slice(1).map(([, texts]) => texts)).toEqual([
      ['2023-11-14T22:13:30.000Z: margin call', '2023-11-14T22:13:20.000Z: halted'],
      ['started'],
    ]);
    expect(place.kept).toEqual([]);
  });

  test('is bounded, and what there was no room for is counted', async () => {
    const place = new Place();
    const sender = place.sender();
    place.fails = away;
    for (let i = 0; i < 70; i++) sender.add(`state ${i}`, true);
    for (let i = 0; i < 300; i++) sender.add(`fill ${i}`, false);
    expect([place.kept.length, place.kept[0]?.text]).toEqual([50, 'state 20']);
    await place.pass(20);
    place.fails = undefined;
    await place.pass(80);
    const texts = place.attempts.flatMap(([, all]) => all).join('\n');
    expect(texts).toContain('and 120 more, for which there was no room');
    for (const text of ['state 69', 'state 20', 'fill 299']) expect(texts).toContain(text);
    expect(place.kept).toEqual([]);
  });
});

test('a place that says to wait is asked no sooner, though other news comes meanwhile', async () => {
  const place = new Place();
  const sender = place.sender();
  place.fails = () => new PlaceBusy('later', 40);
  sender.add('halted', true);
  for (let i = 0; i < 100; i++) {
    sender.add(`fill ${i}`, false);
    await place.pass(1);
  }
  expect(place.attempts.map(([time]) => time)).toEqual([0, 40, 80]);
});

test('a message is short enough for every place, and no text is cut within a character', async () => {
  const place = new Place();
  const sender = place.sender();
  for (let i = 0; i < 10; i++) sender.add(`${i}${'😀'.repeat(2_000)}`, true);
  sender.add('\uD83D', true);
  await place.pass(30);
  const messages = place.attempts.map(([, texts]) => texts.join('\n'));
  expect(messages.length).toBeGreaterThan(2);
  for (const message of messages)
    expect([message.length < 4_000, message.isWellFormed()]).toEqual([true, true]);
  expect(place.kept).toEqual([]);
});
