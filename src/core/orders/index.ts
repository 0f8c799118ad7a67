/** The order manager, and what reconciles it with the venue. */
export type { StartFate } from './found.ts';
export { fateAtStart } from './found.ts';
export type { Memory } from './base/memory.ts';
export type { OtherPolicy } from './base/options.ts';
export type { Ownership } from './base/owners.ts';
export { adopterOf, otherGodwitOf, ownershipOf } from './base/owners.ts';
export { LiveDenials } from './live-denials.ts';
export { OrderManager } from './manager.ts';
export type { OrderOptions } from './options.ts';
export { otherHeads } from './others.ts';
export { protectionText, protects } from './protection.ts';
