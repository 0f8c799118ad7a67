import { encodeEvent, isKept, RunDigest } from '../../core/journal/index.ts';
import type { Event } from '../../core/model/event.ts';
import type { RunTimeline, Prefix, Step } from '../../research/checks/index.ts';
import type { CallSites } from './call-sites.ts';

/** Kept events beyond these are known to the digests alone. */
const stepsMax = 200_000;

/** Writes the timeline of a run. Give it every event, in the order they were recorded. */
export class TimelineWriter {
  readonly #sites: CallSites;
  readonly #cuts: readonly number[];
  readonly #digest = new RunDigest();
  readonly #steps: Step[] = [];
  readonly #prefixes: Prefix[] = [];
  #left = 0;
  #events = 0;

  /** `cuts` ascend. */
  constructor(sites: CallSites, cuts: readonly number[]) {
    this.#sites = sites;
    this.#cuts = cuts;
  }

  observe(event: Event): void {
    const time = Math.max(event.exchangeTime, event.receiveTime);
    this.#passCuts(time);
    this.#events += 1;
    this.#digest.add(event, this.#events);
    const site = event.kind === 'intent' ? this.#sites.takeIntent(event.intent) : undefined;
    if (!isKept(event)) return;
    if (this.#steps.length >= stepsMax) {
      this.#left += 1;
      return;
    }
    const { count, laneA, laneB } = this.#digest.market;
    this.#steps.push({
      sequence: this.#events,
      time,
      kind: event.kind,
      text: encodeEvent(event),
      market: `${count}-${laneA}-${laneB}`,
      site,
    });
  }

  timeline(problems: readonly string[], notes: readonly string[] = []): RunTimeline {
    this.#passCuts(Number.POSITIVE_INFINITY);
    return {
      digest: this.#digest.hex(),
      events: this.#events,
      steps: this.#steps,
      left: this.#left,
      prefixes: this.#prefixes,
      problems,
      notes,
    };
  }

  /** The first event behind a cut ends what belongs to it. */
  #passCuts(time: number): void {
    for (let cut = this.#cuts[this.#prefixes.length]; cut !== undefined && cut < time;) {
      this.#prefixes.push({ cut, digest: this.#digest.hex() });
      cut = this.#cuts[this.#prefixes.length];
    }
  }
}
