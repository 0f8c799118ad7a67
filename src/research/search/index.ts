/** Searches of parameters. */
export { chooseSearch, trialsOf } from './choose.ts';
export type { HeatMap } from './heat-map.ts';
export { heatMaps } from './heat-map.ts';
export { paramSpace } from './param-space.ts';
export type { Evaluation, Proposal } from './search.ts';
export type { Dimension, ParamValue, Point, Space } from './space.ts';
export { digestOf, pointAt, pointKey } from './space.ts';
export type { LoadedSweep, WalkOptions } from './sweep-file.ts';
export { checkSweep, loadSweep, searchOptions, sweepSchema } from './sweep-file.ts';
