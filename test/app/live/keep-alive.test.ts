import { expect, test } from 'vitest';
import { micros, millis, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { armKeepAlive, KeepAlive } from '../../../src/app/live/keep-alive.ts';
import { fullCapabilities } from '../../../src/core/model/capabilities.ts';

const start = seconds(1_700_000_000);

/** A switch on a virtual clock, and how its venue answers: with a fault, or not at all. */
function scene(timeout = seconds(60)) {
  const clock = new VirtualClock(start);
  const asked: { readonly at: number; readonly timeout: number }[] = [];
  const answers: { text: string | undefined } = { text: '' };
  const venue = {
    keepAlive: (wanted: number) => {
      asked.push({ at: (clock.uptime() - start) / 1_000_000, timeout: wanted / 1_000_000 });
      return answers.text === undefined ? new Promise<string>(() => {}) : Promise.resolve(answers.text);
    },
  };
  const said: string[] = [];
  const keepAlive = new KeepAlive({ venue, clock, timeout });
  keepAlive.sayTo((line) => void said.push(line));
  const pass = async (duration: number): Promise<void> => {
    const end = clock.uptime() + duration;
    while (clock.uptime() < end) {
      clock.advanceTo(micros(clock.uptime() + millis(500)));
      for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    }
  };
  return { clock, asked, answers, said, keepAlive, pass };
}

test('the switch is armed at once, renewed three times within its time, and disarmed at the end', async () => {
  const { asked, said, keepAlive, pass } = scene();
  await pass(seconds(60));
  expect(asked[0]).toEqual({ at: 0, timeout: 60 });
  // The first answer comes after the first look at it: the renewals are counted from there.
  expect(asked.map(({ at }) => at)).toEqual([0, 1, 21, 41]);
  expect(keepAlive.state.why).toBe('');
  await keepAlive.disarm(seconds(1));
  expect(asked.at(-1)?.timeout).toBe(0);
  const count = asked.length;
  await pass(seconds(120));
  expect(asked).toHaveLength(count);
  expect(said).toEqual([]);
});

test('a venue that does not acknowledge it is said before it may cancel, and so is one that does again', async () => {
  const { answers, said, keepAlive, pass, asked } = scene();
  await pass(seconds(10));
  answers.text = '503 busy';
  await pass(seconds(45));
  expect(said).toEqual([
    'The venue has not acknowledged its switch for 40 s (503 busy): it may cancel all orders of the account at 2023-11-14T22:14:21.000Z.',
  ]);
  // After a fault it is tried each second.
  expect(asked.length).toBeGreaterThan(12);
  answers.text = '';
  await pass(seconds(3));
  expect(said.slice(1)).toEqual(['The venue acknowledges its switch again.']);
  expect(keepAlive.state.why).toBe('');
});

test('a switch that was never armed, and one that cannot be disarmed, are said', async () => {
  const { clock, answers, said, keepAlive, pass } = scene(seconds(30));
  answers.text = undefined;
  await pass(seconds(1));
  const other = scene(seconds(30));
  other.answers.text = 'there is no connection';
  await other.pass(seconds(60));
  // The first answer was taken before.
  expect(other.said[0]).toContain('there is no connection');
  const ended = keepAlive.disarm(seconds(1));
  clock.advanceTo(micros(clock.uptime() + seconds(2)));
  await ended;
  expect(said.at(-1)).toMatch(
    /^The switch of the venue was not disarmed \(no answer in time\): it cancels what is live at 2023/,
  );
});

test('it is armed for runs that trade at a venue that has one, within the times that this one takes', async () => {
  const clock = new VirtualClock(start);
  const timeouts: number[] = [];
  const venue = {
    keepAlive: (timeout: number) => {
      timeouts.push(timeout / 1_000);
      return Promise.resolve('');
    },
  };
  const capabilities = { ...fullCapabilities, keepAlive: { msMin: 1_000, msMax: 20_000 } };
  const parts = { mode: 'live', config: configSchema.parse({}), clock, venue: { capabilities } };
  armKeepAlive(parts, venue)?.close();
  expect(timeouts).toEqual([20_000]);
  expect(armKeepAlive({ ...parts, mode: 'paper' }, venue)).toBeUndefined();
  expect(
    armKeepAlive({ ...parts, config: configSchema.parse({ sentinel: { keepAlive: false } }) }, venue),
  ).toBeUndefined();
  expect(armKeepAlive({ ...parts, venue: { capabilities: fullCapabilities } }, venue)).toBeUndefined();
});
