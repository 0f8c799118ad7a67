import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DriftComparison } from '../../src/app/nightly/drift.ts';
import { NightlyDrift } from '../../src/app/nightly/drift.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { DriftResult } from '../../src/operate/run.ts';
import { until } from '../system/support/until.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'godwit-nightly-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const start = (Date.parse('2026-03-01T23:00:00Z') * 1_000) as Micros;
const day = seconds(86_400);
const result = (score: number): DriftResult => ({ score, from: start, to: (start + day) as Micros });

/** A schedule whose comparisons are in the test's hand. */
class Night {
  readonly clock: VirtualClock;
  readonly news: string[] = [];
  readonly warnings: string[] = [];
  readonly begun: (PromiseWithResolvers<DriftResult> & { stopped: boolean })[] = [];
  readonly nightly: NightlyDrift;

  constructor(now: number = start, compare?: () => DriftComparison) {
    this.clock = new VirtualClock(now as Micros);
    this.nightly = new NightlyDrift({
      options: { at: '00:10', worst: 0.001, minutesMax: 60 },
      directory,
      clock: this.clock,
      log: { ...silentLogger, warn: (_: object, text: string) => void this.warnings.push(text) },
      compare: compare ?? (() => this.#compare()),
    });
    this.nightly.start((text) => this.news.push(text));
  }

  /** The time passes, and what follows from it is done. */
  async wait(time: number): Promise<void> {
    this.clock.advance(time as Micros);
    await new Promise((resolve) => setImmediate(resolve));
  }

  #compare(): DriftComparison {
    const one = { ...Promise.withResolvers<DriftResult>(), stopped: false };
    this.begun.push(one);
    const stop = (): void => {
      one.stopped = true;
      one.reject(new Error('its process ended with SIGKILL'));
    };
    return { ended: one.promise, stop };
  }
}

const kept = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(directory, 'drift.json'), 'utf8')) as Record<string, unknown>;
const keptIs = (running: boolean): Promise<unknown> =>
  until('the file', () => existsSync(join(directory, 'drift.json')) && kept()['running'] === running);

describe('the last day beside its backtest', () => {
  test('is compared once a day, and the score is kept over a restart', async () => {
    const night = new Night();
    expect(night.nightly.state).toMatchObject({
      running: false,
      result: undefined,
      failures: 0,
      limit: 0.001,
    });
    await night.wait(seconds(3_600));
    expect(night.begun).toHaveLength(0);
    await night.wait(seconds(600));
    expect(night.nightly.state.running).toBe(true);
    await keptIs(true);
    night.begun[0]?.resolve(result(0.0004));
    await night.wait(0);
    expect(night.nightly.state).toMatchObject({ running: false, result: result(0.0004), why: '' });
    expect(night.news).toEqual([]);
    await night.nightly.close();
    expect(statSync(join(directory, 'drift.json')).mode & 0o777).toBe(0o600);
    expect(existsSync(join(directory, 'drift.json.next'))).toBe(false);

    const again = new Night(night.clock.now() + seconds(20));
    expect(again.nightly.state).toEqual({ ...night.nightly.state });
    await again.wait(seconds(3_600));
    expect(again.begun).toHaveLength(0);
    await again.wait(seconds(23 * 3_600));
    expect(again.begun).toHaveLength(1);
    await again.nightly.close();
  });

  test('is news when the score is worse than the limit', async () => {
    const night = new Night();
    await night.wait(seconds(4_200));
    night.begun[0]?.resolve(result(0.0011));
    await night.wait(0);
    expect(night.news).toEqual([
      'the day to 2026-03-02T23:00:00.000Z and its backtest are 0.0011 of what was traded apart, more than operate.drift.worst (0.001)',
    ]);
    await night.nightly.close();
  });

  test('is news when it fails; the score before stays, and failures are counted', async () => {
    const night = new Night();
    await night.wait(seconds(4_200));
    night.begun[0]?.resolve(result(0.0002));
    await night.wait(0);
    await night.wait(day);
    night.begun[1]?.reject(new Error('the disk is full'));
    await night.wait(0);
    expect(night.news).toEqual(['the comparison of the last day with its backtest failed: the disk is full']);
    expect(night.nightly.state).toMatchObject({
      result: result(0.0002),
      why: 'the disk is full',
      failures: 1,
      endedAt: night.clock.now(),
    });
    await night.wait(day);
    night.begun[2]?.resolve(result(0.0003));
    await night.wait(0);
    expect(night.nightly.state).toMatchObject({ result: result(0.0003), why: '', failures: 1 });
    await night.nightly.close();
  });

  test('fails when its process cannot be started', async () => {
    const night = new Night(start, () => {
      throw new Error('no space left');
    });
    await night.wait(seconds(4_200));
    expect(night.nightly.state).toMatchObject({ running: false, why: 'no space left', failures: 1 });
    await night.nightly.close();
  });

  test('is ended when it takes too long', async () => {
    const night = new Night();
    await night.wait(seconds(4_200));
    await night.wait(seconds(3_599));
    expect(night.begun[0]?.stopped).toBe(false);
    await night.wait(seconds(1));
    expect(night.begun[0]?.stopped).toBe(true);
    expect(night.nightly.state).toMatchObject({
      running: false,
      why: 'it took longer than operate.drift.minutesMax (60)',
      failures: 1,
    });
    await night.nightly.close();
  });

  test('is never made twice at once', async () => {
    const one = Promise.withResolvers<DriftResult>();
    let begun = 0;
    const night = new Night(start, () => {
      begun += 1;
      // It hangs, and cannot be ended.
      return { ended: one.promise, stop: () => {} };
    });
    await night.wait(seconds(4_200));
    await night.wait(day);
    expect(begun).toBe(1);
    expect(night.warnings).toEqual(['the comparison with a backtest of the day before still runs']);
    one.resolve(result(0));
    await night.wait(0);
    await night.wait(day);
    expect(begun).toBe(2);
    await night.nightly.close();
  });

  test('that the end of the daemon cut off has failed, and is not begun again on that day', async () => {
    const night = new Night();
    await night.wait(seconds(4_200));
    await keptIs(true);
    await night.nightly.close();
    expect(night.begun[0]?.stopped).toBe(true);
    expect(night.news).toEqual([]);
    expect(kept()['running']).toBe(true);

    const again = new Night(night.clock.now() + seconds(10));
    expect(again.news).toEqual([
      'the comparison of the last day with its backtest failed: the daemon ended before it was done',
    ]);
    await keptIs(false);
    await again.wait(seconds(3_600));
    expect(again.begun).toHaveLength(0);
    expect(again.nightly.state).toMatchObject({ running: false, failures: 1 });
    await again.nightly.close();
  });

  test('begins anew, and says so, where its file is damaged', async () => {
    for (const text of ['{"version":1,', '{"version":2}', '[]']) {
      writeFileSync(join(directory, 'drift.json'), text);
      const night = new Night();
      expect(night.warnings).toEqual(['expected the last comparison with a backtest: passed over']);
      expect(night.nightly.state).toMatchObject({ result: undefined, failures: 0 });
      await night.nightly.close();
    }
  });

  test('goes on where its file cannot be written', async () => {
    const night = new Night();
    rmSync(directory, { recursive: true });
    await night.wait(seconds(4_200));
    night.begun[0]?.resolve(result(0.5));
    await until('a warning', () => night.warnings.includes('the comparison with a backtest was not kept'));
    expect(night.nightly.state.result).toEqual(result(0.5));
    expect(night.news).toHaveLength(1);
    await night.nightly.close();
  });
});
