import { BadInput } from '../base/errors.ts';

/** More symbols than there can be: no part of the data is of use then. */
export class TooManySymbols extends BadInput {}

/** More symbols than any exchange lists: each costs some kilobytes of grids, counts and names. */
const symbolsMax = 10_000;

/**
 * Throws `TooManySymbols` when one more symbol would be too many: then a name is likely something else, such as an id. The sentence
 * begins with `place`, where that is known.
 */
export function refuseTooMany(count: number, symbol: string, place?: string): void {
  if (count < symbolsMax) return;
  throw new TooManySymbols(
    `${place === undefined ? '' : `${place}: `}expected at most ${symbolsMax} symbols, found ${JSON.stringify(symbol.slice(0, 60))} after them; is that a symbol? Name the one that is wanted with --symbol, or split the data`,
  );
}
