/** The queue in front of `step`, the streams behind it, and the port of a venue. */
export { Bus } from './bus.ts';
export { catchUnhandled } from './guarded.ts';
export type { MarginReported } from './streams.ts';
export { Streams } from './streams.ts';
export { Topic } from './topic.ts';
export type { Venue } from './venue.ts';
