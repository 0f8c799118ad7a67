import { parseAmount } from '../../core/base/amount.ts';
import { BadInput } from '../../core/base/errors.ts';
import { isMembers } from '../../core/base/members.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';

const texts = [
  'symbol',
  'baseCurrency',
  'quoteCurrency',
  'feeCurrency',
  'tickSize',
  'quantityIncrement',
  'takeRate',
  'makeRate',
] as const;

/** The specs a file header of ours carries. Throws `BadInput` naming `path` when they are not what we write. */
export function readSpecList(value: unknown, path: string): readonly InstrumentSpec[] {
  if (!Array.isArray(value)) throw new BadInput(`${path}: expected a list of instruments in the header`);
  for (const spec of value as readonly unknown[]) {
    const missing = isMembers(spec) ? texts.find((name) => typeof spec[name] !== 'string') : texts[0];
    if (missing !== undefined) {
      throw new BadInput(`${path}: expected "${missing}" of every instrument in the header`);
    }
  }
  return value as readonly InstrumentSpec[];
}

export interface GivenSpecs {
  readonly specs: readonly InstrumentSpec[];
  /** Why the data cannot be read with them, where they hold more than bars: prices of bars are decimals. */
  readonly refusal: BadInput | undefined;
}

/**
 * The instruments of data whose prices are kept as whole ticks: a given spec counts instead of that of the data,
 * the others stay. Throws `BadInput` when one is given that the data do not have.
 */
export function givenSpecs(
  own: readonly InstrumentSpec[],
  given: readonly InstrumentSpec[] | undefined,
  path: string,
): GivenSpecs {
  if (given === undefined) return { specs: own, refusal: undefined };
  const bySymbol = new Map(own.map((spec) => [spec.symbol, spec]));
  const refusals = given.flatMap((spec) => {
    const kept = bySymbol.get(spec.symbol);
    if (kept !== undefined) return offGrid(spec, kept, path) ?? [];
    const symbols = [...bySymbol.keys()].join(', ').slice(0, 200);
    throw new BadInput(`${path}: expected a symbol of the data (${symbols}), found ${spec.symbol}`);
  });
  return {
    specs: own.map((spec) => given.find(({ symbol }) => symbol === spec.symbol) ?? spec),
    refusal: refusals[0],
  };
}

function offGrid(given: InstrumentSpec, kept: InstrumentSpec, path: string): BadInput | undefined {
  const { tickSize: tick, quantityIncrement: lot } = kept;
  if (isSame(tick, given.tickSize) && isSame(lot, given.quantityIncrement)) return undefined;
  return new BadInput(
    `${path}: expected the tick ${tick} and the increment ${lot} in which ${given.symbol} is kept there, found ${given.tickSize} and ${given.quantityIncrement}; import the original again with --tick and --increment`,
  );
}

function isSame(one: string, other: string): boolean {
  return parseAmount(one) === parseAmount(other);
}
