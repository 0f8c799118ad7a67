import type { Event } from './event.ts';

/** An event with its place in the run: 1, 2, 3, in the order in which the bus stepped. */
export interface StampedEvent {
  readonly sequence: number;
  readonly event: Event;
}
