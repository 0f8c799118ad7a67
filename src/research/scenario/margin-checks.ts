import type { z } from 'zod';
import type { Product } from '../../core/model/product.ts';
import { spotAlone } from '../../core/model/product.ts';

/** Terms of an instrument that matter to these checks. */
interface SaidInstrument {
  readonly kind: 'spot' | 'perpetual' | 'inverse';
  readonly leverage?: number | undefined;
  readonly liquidation?: object | undefined;
  readonly margin?: object | undefined;
  readonly funding?: object | undefined;
  readonly fees?:
    | {
        readonly fixed?: string | undefined;
        readonly perUnit?: string | undefined;
        readonly tiers: readonly object[];
      }
    | undefined;
}

interface Said {
  readonly products?: readonly Product[] | undefined;
  readonly futuresBalances?: Readonly<Record<string, string>> | undefined;
  readonly fills: { readonly model: string };
  readonly instrument?: SaidInstrument | undefined;
  readonly sources?: readonly { readonly instrument?: SaidInstrument | undefined }[] | undefined;
}

/** Products that the simulated venue of a scenario offers; spot alone when it says nothing. */
export function productsOf({ products = spotAlone }: Pick<Said, 'products'>): readonly Product[] {
  return products;
}

/** Whether margin accounts are kept, by the rules of the exchange. */
export function keepsMargin(said: Pick<Said, 'products'>): boolean {
  return productsOf(said).some((product) => product !== 'spot');
}

/** Refuses terms of the two kinds of accounts side by side: those of the exchange, and the simpler ones of published runs. */
export function refuseMixedMargin(said: Said, context: z.RefinementCtx): void {
  const refuse = (path: readonly (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path: [...path], message });
  if (keepsMargin(said) && said.fills.model === 'bars')
    refuse(
      ['products'],
      'expected spot alone with fills: {model: bars}, because the models shadow, queue and module alone have margin and futures accounts',
    );
  const offered = productsOf(said);
  if (said.futuresBalances !== undefined && !offered.includes('futures'))
    refuse(['futuresBalances'], 'expected products: [futures] with it, because it is the money of contracts');
  const instruments = said.sources ?? [said];
  for (const [index, { instrument }] of instruments.entries()) {
    if (instrument === undefined) continue;
    const place = said.sources === undefined ? ['instrument'] : ['sources', index, 'instrument'];
    for (const [key, message] of wrongTerms(instrument, offered)) refuse([...place, key], message);
  }
}

/** Terms that do not go together with the products of the run, by key. */
function wrongTerms(said: SaidInstrument, products: readonly Product[]): (readonly [string, string])[] {
  const { kind, funding, margin, leverage, liquidation, fees } = said;
  const product = kind === 'spot' ? 'margin' : 'futures';
  if (!products.includes(product)) {
    const wrong: (readonly [string, string])[] = [];
    if (margin !== undefined) wrong.push(['margin', `expected products: [${product}] with it`]);
    if (funding !== undefined && 'file' in funding)
      wrong.push(['funding', 'expected products: [futures] with a file, or a rate and every without']);
    if (kind !== 'spot' && keepsMargin({ products }))
      wrong.push(['kind', `expected products: [futures] with kind: ${kind}`]);
    return wrong;
  }
  const inPlace = (what: string) => `expected ${what} in its place with products: [${product}]`;
  return [
    ...(kind === 'inverse'
      ? [
          [
            'kind',
            'expected kind: perpetual with products: [futures], which settle in quote currency',
          ] as const,
        ]
      : []),
    ...(leverage === undefined ? [] : [['leverage', inPlace('margin.leverage')] as const]),
    ...(liquidation === undefined ? [] : [['liquidation', inPlace('margin.liquidation')] as const]),
    ...(fees !== undefined && (fees.tiers.length > 0 || (fees.fixed ?? fees.perUnit) !== undefined)
      ? [['fees', `expected maker and taker alone with products: [${product}]`] as const]
      : []),
  ];
}
