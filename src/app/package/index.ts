/**
 * The entry `import … from 'godwit'`: what every program may want, and nothing that takes long to load. The daemon is a command, not a
 * library; the connections to a venue, the embedded exchange, indicators and fill models are at `godwit/client`, `godwit/exchange`,
 * `godwit/strategy` and `godwit/fills`, because a program that reads a file need not load them.
 */
import { packageVersion } from '../process/package.ts';

export { BadInput } from '../../core/base/errors.ts';
export { defineStrategy } from '../../core/strategy/define.ts';
export { openData } from './data/index.ts';
export type { OpenDataOptions, OpenedData } from './data/index.ts';
export type { StrategyDefinition, StrategySource } from '../../core/strategy/define.ts';

/** The version of this package, such as `0.1.0`. */
export const version: string = packageVersion();
