import { appendFileSync, openSync, readSync } from 'node:fs';
import type { PerformanceEntry } from 'node:perf_hooks';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// Loaded before a daemon (`--import`): a timer of a millisecond sees how long its thread took from one call to the next, which is the longest
// turn of the loop in between. Time in which the machine had given the core away is left out, and pauses of the collector stand apart.
// Each turn of 2 ms or more becomes a line of the file `turns`.

// The environment of a daemon is not handed on whole: what it needs stands behind its name.
const file = new URL(import.meta.url).searchParams.get('turns');
const leastMs = 2;
const tellEveryMs = 1_000;

/**
 * A turn of the loop, in milliseconds; `collector` is the part of it that collected garbage, `processor` the time that its thread used, which
 * leaves out what the host of a virtual machine took.
 */
export interface Turn {
  readonly at: number;
  readonly took: number;
  readonly processor: number;
  readonly collector: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Measured extends Span {
  readonly away: number;
  readonly processor: number;
}

if (file !== null && isMainThread && process.argv.includes('trade') && process.send !== undefined)
  watch(file);

function watch(path: string): void {
  let pauses: Span[] = [];
  let turns: Measured[] = [];
  const note = (entries: readonly PerformanceEntry[]): void => {
    for (const { startTime, duration } of entries) pauses.push({ from: startTime, to: startTime + duration });
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const waited = waitedMs();
  let last = performance.now();
  let away = waited();
  let used = usedMs();
  let tellAt = last + tellEveryMs;
  setInterval(() => {
    const now = performance.now();
    const awayNow = waited();
    const took = now - last - (awayNow - away);
    if (took >= leastMs)
      turns.push({ from: last, to: now, away: awayNow - away, processor: usedMs() - used });
    if (now > tellAt) {
      note(observer.takeRecords());
      const lines = turns.map((turn) => JSON.stringify(turnOf(turn, pauses)));
      if (lines.length > 0) appendFileSync(path, `${lines.join('\n')}\n`);
      turns = [];
      pauses = [];
      tellAt = now + tellEveryMs;
    }
    // What this call did is no turn of the daemon.
    last = performance.now();
    away = waited();
    used = usedMs();
  }, 1);
}

function turnOf({ from, to, away, processor }: Measured, pauses: readonly Span[]): Turn {
  const collector = pauses.reduce(
    (sum, pause) => sum + Math.max(0, Math.min(to, pause.to) - Math.max(from, pause.from)),
    0,
  );
  return { at: performance.timeOrigin + from, took: to - from - away, processor, collector };
}

/** Processor time that this thread has used so far. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How long this thread has waited for a core so far. Source: Linux, `Documentation/scheduler/sched-stats.rst`. */
function waitedMs(): () => number {
  const status = openSync('/proc/thread-self/schedstat', 'r');
  const bytes = Buffer.alloc(128);
  return () => {
    const length = readSync(status, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1', 0, length).split(' ')[1]) / 1e6;
  };
}
