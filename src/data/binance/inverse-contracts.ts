import { listed } from '../../core/base/listed.ts';
import type { Instruments } from '../../core/model/instrument.ts';

interface Rule {
  readonly symbols: RegExp;
  /** Worth of one unit of quantity, as the venue says. */
  readonly worth: string;
}

const coinMargined = { symbols: /USD_(PERP|\d{6})$/, worth: '"100" for BTC, "10" for others' };

/** Symbols of venues that are worth one over their price, by format. */
const rules: Readonly<Record<string, Rule>> = {
  'binance-raw': coinMargined,
  'binance-capture': coinMargined,
  'binance-trades': coinMargined,
  'binance-klines': coinMargined,
  'trades-csv': coinMargined,
  'bars-csv': coinMargined,
  'bitmex-l2': { symbols: /^XBT(USD|[FGHJKMNQUVXZ]\d{2})$/, worth: '"1"' },
  'bybit-ob': { symbols: /USD([FGHJKMNQUVXZ]\d{2})?$/, worth: '"1"' },
  deribit: { symbols: /^(BTC|ETH)-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2})$/, worth: '"1"' },
  'kraken-futures': { symbols: /^[FP]I_/, worth: '"1"' },
  'okx-v5': { symbols: /-USD-(SWAP|\d{6})$/, worth: '"100" for BTC, "10" for others' },
  'tardis-csv': { symbols: /^XBTUSD$|^(BTC|ETH)-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2})$/, worth: '"1"' },
};

const namedMax = 4;

/** Symbols whose sizes count contracts, each of an amount of the coin that the venue lists, by format. */
const countedBy: Readonly<Record<string, RegExp>> = {
  'okx-v5': /-USD[TC]-(SWAP|\d{6})$/,
  'okex-v3': /-USD[TC]-(SWAP|\d{6})$/,
  'bitmex-l2': /^[A-Z]+USDT$|^(?!XBT)[A-Z]+(USD|[FGHJKMNQUVXZ]\d{2})$/,
};

/** Notes on contracts that are not known as such: what they are settled in, or their size, is reckoned wrong. */
export function inverseNotes(format: string, instruments: Instruments): readonly string[] {
  const { symbols: inverse, worth } = rules[format] ?? {};
  const counted = countedBy[format];
  const unknown = instruments.all.filter(
    ({ contract, spec }) => !contract.isInverse && spec.contractSize === undefined,
  );
  const named = (shape: RegExp | undefined): string =>
    listed(
      unknown.flatMap(({ symbol }) => (shape?.test(symbol) === true ? [symbol] : [])),
      namedMax,
    );
  return [
    [
      named(inverse),
      `inverse contracts, settled in the coin; without a scenario that says instrument: { kind: inverse, contract: ... } (${worth}) amounts of money are wrong`,
    ],
    [
      named(counted),
      'sizes count contracts, not coins; without a scenario that says instrument: { kind: perpetual, contract: ... } (the coins of one, as the venue lists them) amounts of money are wrong',
    ],
  ].flatMap(([names = '', words = '']) => (names === '' ? [] : [`${names}: ${words}`]));
}
