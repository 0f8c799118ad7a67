import type { Config } from '../config/schema.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { declaredText, StrategyError } from '../run/strategy-plans.ts';

type StrategyConfig = Config['strategies'][number];

/**
 * The shadows of strategies, each as a strategy of the same name. All are in threads of their own, where they hold nobody up, with
 * the rights that the strategy has.
 */
export function shadowsOf(strategies: Config['strategies']): Config['strategies'] {
  return strategies.flatMap(({ shadow, ...one }): StrategyConfig[] => {
    if (shadow === undefined) return [];
    const { path = one.path, params: given } = shadow;
    const params = shadow.path === undefined ? { ...one.params, ...given } : given;
    const trust = one.host === 'thread' ? 'full' : one.trust;
    return [{ ...one, path, params, host: 'worker', isolation: undefined, trust }];
  });
}

/** Throws `StrategyError` when a strategy could not go on with what its shadow follows and trades. */
export function checkDeclared(
  name: string,
  live: Pick<LoadedStrategy, 'feeds' | 'series' | 'products'>,
  shadow: Pick<LoadedStrategy, 'feeds' | 'series' | 'products'>,
): void {
  if (declaredText(live) === declaredText(shadow)) return;
  throw new StrategyError(
    `strategy ${name}: expected its shadow to follow the same feeds and trade the same products, so that it can be promoted, found others`,
  );
}
