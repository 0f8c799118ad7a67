/** Series of venues: values by time that make no books, trades or bars. */
export { fundingRatesOf } from './funding.ts';
export { venueSeries } from './layouts.ts';
