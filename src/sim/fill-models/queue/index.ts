/** The fill models of estimated queues. */
export type { QueueEngineSetup } from './engine.ts';
export { openQueueEngine } from './engine.ts';
export { queueRuleOf } from './position.ts';
