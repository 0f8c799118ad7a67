import { withoutExponent } from '../../core/base/exponent.ts';
import type { Config } from '../config/schema.ts';
import type { Instrument, Instruments, Lots } from '../../core/model/instrument.ts';
import type { CutSize } from '../../core/strategy/framework.ts';
import type { SmallSize } from '../../research/report/index.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

type Params = Config['strategies'][number]['params'];

const isSize = /quantity|size|amount/i;
const plain = /^\d{1,20}(\.\d{1,18})?$/;

/** Parameters that are called sizes: of their own symbol, the one named or the first that is followed. */
export function sizesOf(
  params: Params,
  followed: readonly string[],
): { symbol: string | undefined; sizes: Params } {
  const symbol = typeof params['symbol'] === 'string' ? params['symbol'] : followed[0];
  return { symbol, sizes: Object.fromEntries(Object.entries(params).filter(([name]) => isSize.test(name))) };
}

/** A size between two steps, and what is left of it; `undefined` of one on the grid, and of what is no size. */
export function cutDown(instrument: Instrument, value: unknown): { text: string; lots: Lots } | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = withoutExponent(String(value));
  if (!plain.test(text)) return undefined;
  if (!Number.isNaN(instrument.readLots(text))) return undefined;
  return { text, lots: instrument.lots(text, 'down') };
}

/**
 * Sizes that come to no order: parameters, and sizes that strategies computed and rounded down to nothing so far. What
 * parameters say comes first.
 */
export function smallSizes(
  loaded: readonly LoadedStrategy[],
  configs: Config['strategies'],
  instruments: Instruments,
): readonly SmallSize[] {
  const named = sizesOfParams(loaded, configs, instruments);
  const computed = loaded.flatMap(({ plan, cuts }) =>
    cuts.all.map((cut) => computedSize(plan.name, instruments.at(cut.instrument), cut)),
  );
  return [...named, ...computed];
}

function computedSize(
  strategy: string,
  { id, symbol, spec }: Instrument,
  { first, count }: CutSize,
): SmallSize {
  const sizes = count === 1 ? '1 size that it computed is' : `${count} sizes that it computed are`;
  const which = count === 1 ? first : `the first ${first}`;
  const text = `${sizes} less than the quantity increment of ${symbol}, ${spec.quantityIncrement}, and rounded down to nothing: ${which}`;
  return { strategy, instrument: id, text };
}

/** Parameters, as set or by default, of which nothing is left: a strategy that rounds them down asks for no order. */
function sizesOfParams(
  loaded: readonly LoadedStrategy[],
  configs: Config['strategies'],
  instruments: Instruments,
): readonly SmallSize[] {
  return loaded.flatMap(({ plan, feeds, paramsSchema }) => {
    const set = configs.find(({ name }) => name === plan.name)?.params ?? {};
    const followed = feeds.map(({ symbol }) => symbol);
    const { symbol = '', sizes } = sizesOf({ ...defaultsOf(paramsSchema), ...set }, followed);
    const instrument = instruments.find(symbol);
    if (instrument === undefined) return [];
    return Object.entries(sizes).flatMap(([param, value]) => {
      const cut = cutDown(instrument, value);
      if (cut?.lots !== 0) return [];
      const { quantityIncrement: step } = instrument.spec;
      const text = `its ${param}, ${cut.text}, is less than the quantity increment of ${symbol}, ${step}`;
      return [{ strategy: plan.name, text }];
    });
  });
}

function defaultsOf(schema: string): Params {
  const { properties = {} } = JSON.parse(schema) as {
    properties?: Readonly<Record<string, { readonly default?: unknown }>>;
  };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
