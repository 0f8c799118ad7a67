import type { Instrument } from './instrument.ts';

/** Products that an order may trade. Source: API v3, "Spot trading" and "Margin"; v3-gaps, section 2.5 (futures). */
export const products = ['spot', 'margin', 'futures'] as const;
export type Product = (typeof products)[number];

/** Products of a strategy that says nothing of them. */
export const spotAlone: readonly Product[] = ['spot'];

/** Products whose orders are paid from margin accounts. */
export type MarginProductName = Exclude<Product, 'spot'>;

/** The product of an order: contracts are futures; other symbols are spot, unless a margin account pays. */
export function productOf({ spec }: Instrument, margin: object | undefined): Product {
  if (spec.type === 'futures') return 'futures';
  return margin === undefined ? 'spot' : 'margin';
}

/** The product of an order as a command or a question names it: spot is left out. */
export function tradedOn(
  instrument: Instrument,
  { margin }: { readonly margin?: object | undefined },
): { readonly product?: MarginProductName } {
  const product = productOf(instrument, margin);
  return product === 'spot' ? {} : { product };
}
