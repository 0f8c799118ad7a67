import type { Capabilities } from '../../model/capabilities.ts';
import type { Denial } from '../../model/denial.ts';
import { marginModes } from '../../model/margin.ts';
import type { Product } from '../../model/product.ts';
import { productOf } from '../../model/product.ts';
import type { Rule } from '../base/candidate.ts';
import { deny, shownValue } from '../base/candidate.ts';
import type { StrategyMemory } from '../base/memory.ts';

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
export const product = {
  code: 'PRODUCT_NOT_DECLARED',
  control: ({ strategy, instrument, request }, _view, memory) => {
    const { type, marginTrading } = instrument.spec;
    // Most orders by far.
    if (request.margin === undefined && type === 'spot') return undefined;
    const traded = productOf(instrument, request.margin);
    const denial = productDenial(traded, strategy, memory.capabilities);
    if (denial !== undefined) return denial;
    if (traded === 'futures' && request.margin === undefined)
      return deny(
        'PRODUCT_SYMBOL',
        `${instrument.symbol} is a contract: expected product futures, found spot`,
      );
    if (traded === 'margin' && !marginTrading)
      return deny('PRODUCT_SYMBOL', `${instrument.symbol} is not traded on margin`);
    return undefined;
  },
} satisfies Rule;

/**
 * The margin mode is one of those there are, and an order that closes a position is a stop market order without a quantity,
 * placed alone. Source: API v3, "Margin order", close_position, and "POST /api/3/margin/order/list".
 */
export const marginMark = {
  code: 'MARGIN_MODE_UNKNOWN',
  control: ({ request }) => {
    const { margin, type, quantity, list } = request;
    // Most orders by far.
    if (margin === undefined) return undefined;
    if (!marginModes.includes(margin.mode)) {
      return deny(
        'MARGIN_MODE_UNKNOWN',
        `expected a margin mode of ${marginModes.join(', ')}, found ${shownValue(margin.mode)}`,
      );
    }
    return margin.closePosition ? closingDenial(type, quantity, list !== undefined) : undefined;
  },
} satisfies Rule;

function closingDenial(type: string, quantity: unknown, inList: boolean): Denial | undefined {
  if (type !== 'stopMarket') {
    return deny(
      'CLOSE_POSITION',
      `expected type stopMarket for an order that closes the position, found ${shownValue(type)}`,
    );
  }
  if (quantity !== 0) {
    return deny(
      'CLOSE_POSITION',
      `expected no quantity for an order that closes the position, found ${shownValue(quantity)} lots`,
    );
  }
  return inList
    ? deny('CLOSE_POSITION', 'expected an order that closes the position to be placed alone, found a list')
    : undefined;
}
