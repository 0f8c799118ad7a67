/** Arrays of numpy. */
export { hftbacktest } from './hftbacktest.ts';
