import type { Amount } from '../../core/base/amount.ts';
import { parseAmount } from '../../core/base/amount.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { BuyCurrency, BuyMethod, BuyProvider } from '../../venues/hitbtc/wire/resources/index.ts';
import type { CurrencyOptions } from '../base/index.ts';
import { networksOf } from '../wallet/index.ts';
import type { BuyCryptoOptions, BuyMethodOptions, BuyProviderOptions, BuySourceOptions } from './options.ts';

/** A currency that can be paid with, valued in one of the exchange's own. */
export interface BuySource {
  readonly code: string;
  readonly displayName: string;
  readonly follows: string;
  readonly worth: Amount;
  readonly decimals: number;
}

/** A way of paying, with what the exchange counts on. */
export interface OfferedMethod {
  readonly id: number;
  readonly type: string;
  readonly sources: readonly BuySource[];
  readonly targets: readonly CurrencyOptions[];
  readonly feeRate: Amount;
  readonly sourceMin: Amount;
  readonly sourceMax: Amount;
  /** As the documents describe it. */
  readonly shown: BuyMethod;
}

export interface OfferedProvider {
  readonly id: number;
  readonly name: string;
  readonly checkoutUrl: string;
  readonly methods: readonly OfferedMethod[];
}

/** Filter of a list of providers. */
interface ProviderFilter {
  readonly providerId?: number | undefined;
  readonly source?: string | undefined;
  readonly target?: string | undefined;
}

/** The providers and what they sell. Throws `BadInput` when the options name currencies that do not exist. */
export class BuyCatalog {
  readonly #providers: readonly OfferedProvider[];

  constructor(options: BuyCryptoOptions, currencies: readonly CurrencyOptions[]) {
    const sources = sourcesOf(options.sources, currencies);
    this.#providers = options.providers.map((provider) => offered(provider, sources, currencies));
  }

  provider(id: number): OfferedProvider | undefined {
    return this.#providers.find((provider) => provider.id === id);
  }

  /** Providers with those methods that fit; providers without one are left out. */
  list(filter: ProviderFilter): readonly BuyProvider[] {
    const fitting: BuyProvider[] = [];
    for (const { id, name, methods } of this.#providers) {
      if (filter.providerId !== undefined && filter.providerId !== id) continue;
      const shown = methods
        .filter((method) => sells(method, filter.source, filter.target))
        .map((method) => method.shown);
      if (shown.length > 0) fitting.push({ providerId: String(id), providerName: name, methods: shown });
    }
    return fitting;
  }
}

/** Whether a method can be paid with `source` and brings `target`; absent means any. */
export function sells(
  method: OfferedMethod,
  source: string | undefined,
  target: string | undefined,
): boolean {
  return (
    (source === undefined || method.sources.some(({ code }) => code === source)) &&
    (target === undefined || method.targets.some(({ code }) => code === target))
  );
}

function sourcesOf(
  options: readonly BuySourceOptions[],
  currencies: readonly CurrencyOptions[],
): ReadonlyMap<string, BuySource> {
  const usual = (currencies.find(({ stable }) => stable) ?? currencies[0])?.code ?? '';
  const sources = new Map<string, BuySource>();
  for (const { follows = usual, worth, ...rest } of options) {
    if (!currencies.some(({ code }) => code === follows)) {
      throw new BadInput(`buyCrypto source ${rest.code} follows ${follows}, which is no currency here`);
    }
    const amount = parseAmount(worth);
    if (amount === 0n) throw new BadInput(`buyCrypto source ${rest.code} is worth nothing; expected more`);
    sources.set(rest.code, { ...rest, follows, worth: amount });
  }
  return sources;
}

function offered(
  provider: BuyProviderOptions,
  sources: ReadonlyMap<string, BuySource>,
  currencies: readonly CurrencyOptions[],
): OfferedProvider {
  const where = `buyCrypto provider ${provider.name}`;
  return {
    id: provider.id,
    name: provider.name,
    checkoutUrl: provider.checkoutUrl,
    methods: provider.methods.map((method) => {
      const own = method.sources.map((code) => sources.get(code) ?? missing(where, code));
      const targets =
        method.targets?.map(
          (code) => currencies.find((currency) => currency.code === code) ?? missing(where, code),
        ) ?? currencies.filter(({ crypto }) => crypto);
      return {
        id: method.id,
        type: method.type,
        sources: own,
        targets,
        feeRate: parseAmount(method.feeRate),
        sourceMin: parseAmount(method.sourceMin),
        sourceMax: parseAmount(method.sourceMax),
        shown: shownOf(method, own, targets),
      };
    }),
  };
}

function shownOf(
  method: BuyMethodOptions,
  sources: readonly BuySource[],
  targets: readonly CurrencyOptions[],
): BuyMethod {
  const onNetworks = targets.flatMap((target): BuyCurrency[] =>
    networksOf(target).map(({ code }) => ({
      code: target.code,
      displayName: target.fullName,
      networkCode: code,
    })),
  );
  return {
    id: String(method.id),
    name: method.name,
    description: method.description,
    methodType: method.type,
    logoUrl: method.logoUrl,
    status: 'active',
    type: method.type,
    supportedSource: sources.map(({ code, displayName }) => ({ code, displayName, networkCode: undefined })),
    supportedTarget: onNetworks,
    transactionLimits: sources.flatMap((source) =>
      onNetworks.map((target) => ({
        currencyCode: source.code,
        targetCode: target.code,
        sourceMin: parseAmount(method.sourceMin),
        sourceMax: parseAmount(method.sourceMax),
        networkCode: target.networkCode,
      })),
    ),
  };
}

function missing(where: string, code: string): never {
  throw new BadInput(`${where} names ${code}, which is not among the currencies`);
}
