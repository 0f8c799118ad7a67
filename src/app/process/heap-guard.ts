import { GCProfiler, getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import { nodeOptions } from './node-options.ts';

const mib = 1_048_576;

/** The old generation of this thread's heap, in bytes. */
export interface HeapUse {
  readonly used: number;
  readonly most: number;
}

/** The heap as the guard sees it. */
export interface Heap {
  use(): HeapUse;
  /** Follows full collections until `end`: their last one left so much in use, in bytes; `undefined` while there was none. */
  watchCollections(): { usedAfter(): number | undefined; end(): void };
}

export interface HeapGuardDeps {
  readonly clock: Clock;
  readonly heap?: Heap;
  /** Takes the first look after a full collection that finds the heap nearly full. */
  readonly onFull: (use: HeapUse) => void;
}

/** Part of the heap that has to be free, and the least of it, in bytes: a collection may move a half of the young generation there. */
const freePart = 0.08;
const freeMin = 32 * mib;
const betweenLooks = millis(250);
/** Pause between looks where little is free: what fills a heap may be fast. */
const betweenCloseLooks = millis(25);

/**
 * Looks four times a second how much of the heap is in use. What is in use before a collection says little, so where little is free the guard
 * waits for the next full one, and calls `onFull`, once, when little is free after it. V8 ends a process whose heap is full at once.
 */
export function guardHeap({ clock, heap = ownHeap, onFull }: HeapGuardDeps): Cancel {
  let watch: ReturnType<Heap['watchCollections']> | undefined;
  let cancel: Cancel = () => {};
  const rest = (): void => {
    watch?.end();
    watch = undefined;
  };
  const look = (): void => {
    const use = heap.use();
    const after = watch?.usedAfter();
    if (after !== undefined && isNearlyFull({ ...use, used: after })) {
      rest();
      onFull({ ...use, used: after });
      return;
    }
    if (after === undefined && isNearlyFull(use)) watch ??= heap.watchCollections();
    else rest();
    cancel = clock.after(watch === undefined ? betweenLooks : betweenCloseLooks, look);
  };
  cancel = clock.after(betweenLooks, look);
  return () => {
    cancel();
    rest();
  };
}

/** Text such as `118 of 128 MiB`. */
export function heapText({ used, most }: HeapUse): string {
  return `${Math.round(used / mib)} of ${Math.round(most / mib)} MiB`;
}

function isNearlyFull({ used, most }: HeapUse): boolean {
  return most - used < Math.max(most * freePart, freeMin);
}

const ownHeap: Heap = {
  use: () => ({
    used: usedOf(
      getHeapSpaceStatistics().map(({ space_name: name, space_used_size: used }) => ({ name, used })),
    ),
    most: getHeapStatistics().heap_size_limit - youngMost(),
  }),
  watchCollections() {
    const profiler = new GCProfiler();
    profiler.start();
    return {
      usedAfter() {
        const full = profiler.stop()?.statistics.findLast(({ gcType }) => gcType === 'MarkSweepCompact');
        profiler.start();
        return (
          full &&
          usedOf(
            full.afterGC.heapSpaceStatistics.map(({ spaceName: name, spaceUsedSize: used }) => ({
              name,
              used,
            })),
          )
        );
      },
      end: () => void profiler.stop(),
    };
  },
};

/** Bytes of the old generation: every space but the young ones. */
function usedOf(spaces: readonly { readonly name: string; readonly used: number }[]): number {
  return spaces.reduce((sum, { name, used }) => (name.startsWith('new_') ? sum : sum + used), 0);
}

/**
 * The part of V8's limit that is of the young generation, in bytes. Where options of Node size the heap it has three halves of 32 MiB, or of what
 * an option says; where the machine does, some 2 % of the whole, which is as good as none.
 */
function youngMost(): number {
  const options = nodeOptions().join(' ');
  if (!/--max[-_](?:old[-_]space|heap)[-_]size/.test(options)) return 0;
  const half = /--max[-_]semi[-_]space[-_]size[= ](\d+)/.exec(options)?.[1];
  return 3 * (half === undefined ? 32 : Number(half)) * mib;
}
