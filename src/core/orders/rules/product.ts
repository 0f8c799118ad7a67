import type { Capabilities } from '../../model/capabilities.ts';
import type { Denial } from '../../model/denial.ts';
import type { Product } from '../../model/product.ts';
import { productOf } from '../../model/product.ts';
import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';
import type { StrategyMemory } from '../memory.ts';

/** Why a strategy may not trade a product: the venue does not offer it, or the strategy did not declare it. */
export function productDenial(
  product: Product,
  { limits }: StrategyMemory,
  capabilities: Capabilities,
): Denial | undefined {
  if (product === 'spot') return undefined;
  if (!capabilities.margin)
    return deny('PRODUCT_NOT_OFFERED', `the venue takes spot orders alone, found ${product}`);
  if (limits.products.includes(product)) return undefined;
  return deny(
    'PRODUCT_NOT_DECLARED',
    `strategy ${limits.name} did not declare that it trades ${product}: expected it in its products`,
  );
}

/** The product of an order: declared, and traded with this symbol. A contract needs a margin account. */
export const product: Control = ({ strategy, instrument, request }, _view, memory) => {
  const { type, marginTrading } = instrument.spec;
  // Most orders by far.
  if (request.margin === undefined && type === 'spot') return undefined;
  const traded = productOf(instrument, request.margin);
  const denial = productDenial(traded, strategy, memory.capabilities);
  if (denial !== undefined) return denial;
  if (traded === 'futures' && request.margin === undefined)
    return deny('PRODUCT_SYMBOL', `${instrument.symbol} is a contract: expected product futures, found spot`);
  if (traded === 'margin' && !marginTrading)
    return deny('PRODUCT_SYMBOL', `${instrument.symbol} is not traded on margin`);
  return undefined;
};
