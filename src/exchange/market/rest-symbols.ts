import type { Instrument } from '../../core/model/instrument.ts';
import type { Currency } from '../../venues/hitbtc/wire/resources/index.ts';
import {
  encodeV2Currency,
  encodeV3Currency,
  encodeSymbol,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import type { Core } from '../base/index.ts';
import {
  byName,
  bySymbol,
  ofSymbol,
  v2InstrumentsNamed,
  withV2Instrument,
  v2Route,
  v3Route,
} from '../http/index.ts';
import { currencyNotFound } from '../base/index.ts';
import type { RestRoute } from '../http/index.ts';

interface SymbolRouteDeps {
  readonly core: Core;
  readonly currencies: readonly Currency[];
}

/** Symbols and currencies. Source: API v3, "Market data"; API v2, "Market data"; v3-gaps, section 4. */
export function symbolRoutes({ core, currencies }: SymbolRouteDeps): readonly RestRoute[] {
  const symbolOf = (version: WireVersion) => (instrument: Instrument) =>
    encodeSymbol(version, { ...instrument.spec, status: core.exchange.status(instrument.id) });
  return [
    v3Route('publicSymbols', ({ symbols }) => bySymbol(core, symbols, symbolOf('v3'))),
    v3Route('publicSymbol', ({ symbol }) => ofSymbol(core, symbol, symbolOf('v3'))),
    v2Route('publicSymbols', ({ symbols }) => v2InstrumentsNamed(core, symbols).map(symbolOf('v2'))),
    v2Route('publicSymbol', ({ symbol }) => withV2Instrument(core, symbol, symbolOf('v2'))),
    ...currencyRoutes(currencies),
  ];
}

function currencyRoutes(currencies: readonly Currency[]): RestRoute[] {
  const named = (name: string) => currencies.find(({ code }) => code === name);
  return [
    v3Route('publicCurrencies', (params) =>
      byName(params.currencies ?? currencies.map(({ code }) => code), (name) => {
        const currency = named(name);
        return currency && encodeV3Currency(preferring(currency, params.preferredNetwork));
      }),
    ),
    v3Route('publicCurrency', (params) => {
      const currency = named(params.currency);
      return currency === undefined ? currencyNotFound() : encodeV3Currency(currency);
    }),
    v2Route('publicCurrencies', (params) => {
      const wanted = params.currencies?.flatMap((name) => named(name.toUpperCase()) ?? []) ?? currencies;
      return wanted.map((currency) => encodeV2Currency(currency));
    }),
    v2Route('publicCurrency', (params) => {
      const currency = named(params.currency.toUpperCase());
      return currency === undefined ? currencyNotFound() : encodeV2Currency(currency);
    }),
  ];
}

/** With the network of that code as the default one, where the currency has it. Source: API v3, GET /api/3/public/currency. */
function preferring(currency: Currency, code: string | undefined): Currency {
  if (!currency.networks.some(({ network }) => network === code)) return currency;
  const networks = currency.networks.map((one) => ({ ...one, default: one.network === code }));
  return { ...currency, networks };
}
