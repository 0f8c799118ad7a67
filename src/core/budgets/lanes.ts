import { assert } from '../base/assert.ts';
import type { Clock, Micros } from '../base/clock.ts';
import { micros, millis } from '../base/clock.ts';
import type { Lane } from '../model/command.ts';
import { lanes } from '../model/command.ts';
import { AckBucket } from './ack-bucket.ts';
import { AckWindow } from './ack-window.ts';
import { LanePace } from './lane-pace.ts';

/**
 * Which reading of the limit must admit a request. `both`: the sliding window and the leaky bucket. `window`: only
 * the literal text (rate plus burst in any window of one second). A limit printed without a burst is read as a bucket
 * that holds a tenth of a second's requests, at least one: one that holds nothing would admit nothing.
 */
export type BudgetMode = 'both' | 'window';

/** One limit of the venue and how we divide it. */
export interface LaneBudgetOptions {
  /** Requests per second. */
  readonly rate: number;
  /** Requests above the rate; 0 where the document says none. */
  readonly burst: number;
  readonly mode: BudgetMode;
  /** Requests that only cancels, or only cancels and reads, may use. */
  readonly reserved: { readonly cancel: number; readonly read: number };
  /** The part of the limit that is ours, above 0 and at most 1; other processes on the address have the rest. */
  readonly share: number;
  /** Margin per thousand by which the window is taken longer and the rate smaller: covers a drifting clock. */
  readonly guard: number;
}

/** Usage of a budget at a moment: requests that count, how many may, and how long a new order would wait. */
export interface BudgetUsage {
  readonly inUse: number;
  readonly capacity: number;
  readonly waitingHint: Micros;
}

/** How much of the tightest limit of a lane counts now. */
export interface LaneUsage {
  readonly used: number;
  readonly capacity: number;
}

const windowLength = millis(1_000);

/**
 * One rate limit, shared by four lanes and counted by acknowledgement: a request counts from its send until one
 * window after its reply.
 *
 * Cancels may use everything; reads leave the cancels' reserve alone; replacements and new orders leave both. Each
 * operation is O(1) (amortised) and allocates nothing. Source: faults, section 7; API v3, "Limits".
 */
export class LaneBudget {
  readonly #clock: Clock;
  readonly #window: AckWindow;
  readonly #bucket: AckBucket | undefined;
  readonly #paces: readonly LanePace[];
  /** Requests that each lane must leave free for more urgent ones. */
  readonly #left: Readonly<Record<Lane, number>>;
  readonly #freeSlots: Int32Array;
  #freeCount = 0;
  readonly #slotLane: Int8Array;
  readonly #slotSentAt: Float64Array;

  constructor(options: LaneBudgetOptions, clock: Clock) {
    const { rate, burst, share, guard } = options;
    assert(
      rate > 0 && burst >= 0 && share > 0 && share <= 1,
      'a rate budget needs a positive rate and share',
    );
    this.#clock = clock;
    const capacity = Math.max(1, Math.floor((rate + burst) * share));
    this.#window = new AckWindow(capacity, micros(Math.ceil(windowLength * (1 + guard / 1_000))));
    const leak = (rate * share) / (1 + guard / 1_000);
    const size = Math.max(1, Math.floor((burst > 0 ? burst : rate / 10) * share));
    this.#bucket = options.mode === 'both' ? new AckBucket(leak, size) : undefined;
    this.#paces = lanes.map(() => new LanePace(options.mode === 'both' ? leak : capacity));
    this.#left = leftFree(options.reserved, options.mode === 'both' ? Math.min(size, capacity) : capacity);
    this.#freeSlots = Int32Array.from({ length: capacity }, (_, index) => capacity - 1 - index);
    this.#freeCount = capacity;
    this.#slotLane = new Int8Array(capacity).fill(-1);
    this.#slotSentAt = new Float64Array(capacity);
  }

  /** Requests in any window. */
  get capacity(): number {
    return this.#window.capacity;
  }

  /** Whether `takeSlot(lane)` would succeed now. */
  admits(lane: Lane): boolean {
    return this.wait(lane) === 0;
  }

  /** Takes a slot for one request that is sent now. Returns its slot (0 or more), or -1 when there is none. */
  takeSlot(lane: Lane): number {
    if (this.wait(lane) > 0) return -1;
    const now = this.#clock.uptime();
    this.#freeCount -= 1;
    const slot = this.#freeSlots[this.#freeCount] as number;
    const index = lanes.indexOf(lane);
    this.#slotLane[slot] = index;
    this.#slotSentAt[slot] = now;
    this.#window.sent();
    this.#bucket?.sent();
    this.#paces[index]?.sent(now);
    return slot;
  }

  /** The request in `slot` was answered, or given up. `limited`: the venue refused it for its rate. */
  settle(slot: number, limited: boolean): void {
    const index = this.#slotLane[slot] ?? -1;
    assert(index >= 0, 'a budget slot was settled that is not in use');
    const now = this.#clock.uptime();
    this.#window.answered(now);
    this.#bucket?.answered(now);
    if (limited) this.#paces[index]?.refused(this.#slotSentAt[slot] as Micros, now);
    this.#slotLane[slot] = -1;
    this.#freeSlots[this.#freeCount] = slot;
    this.#freeCount += 1;
  }

  /** How long until `takeSlot(lane)` may succeed if nothing else happens; 0 when it would now. A reply may shorten it. */
  wait(lane: Lane): Micros {
    const now = this.#clock.uptime();
    const left = this.#left[lane];
    const byWindow = this.#window.wait(this.#window.capacity - left, now);
    const byBucket = this.#bucket === undefined ? 0 : this.#bucket.wait(this.#bucket.size - left, now);
    const byPace = this.#paces[lanes.indexOf(lane)]?.wait(now) ?? 0;
    return Math.max(byWindow, byBucket, byPace) as Micros;
  }

  usage(): BudgetUsage {
    return {
      inUse: this.#window.used(this.#clock.uptime()),
      capacity: this.#window.capacity,
      waitingHint: this.wait('new'),
    };
  }
}

/** Reserves always leave a lane at least one request. */
function leftFree(
  reserved: { readonly cancel: number; readonly read: number },
  capacity: number,
): Readonly<Record<Lane, number>> {
  const forCancels = Math.min(reserved.cancel, capacity - 1);
  const forBoth = Math.min(reserved.cancel + reserved.read, capacity - 1);
  return { cancel: 0, read: forCancels, replace: forBoth, new: forBoth };
}
