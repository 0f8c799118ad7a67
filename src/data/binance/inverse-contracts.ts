import { listed } from '../../core/base/listed.ts';
import type { Instruments } from '../../core/model/instrument.ts';

interface Rule {
  readonly symbols: RegExp;
  /** What one unit of quantity is worth, as the venue says. */
  readonly worth: string;
}

const coinMargined = { symbols: /USD_(PERP|\d{6})$/, worth: '"100" for BTC, "10" for others' };

/** By format: the symbols of venues that are worth one over their price. */
const rules: Readonly<Record<string, Rule>> = {
  'binance-raw': coinMargined,
  'binance-capture': coinMargined,
  'bitmex-l2': { symbols: /^XBT(USD|[FGHJKMNQUVXZ]\d{2})$/, worth: '"1"' },
  'bybit-ob': { symbols: /USD([FGHJKMNQUVXZ]\d{2})?$/, worth: '"1"' },
  deribit: { symbols: /^(BTC|ETH)-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2})$/, worth: '"1"' },
  'kraken-futures': { symbols: /^[FP]I_/, worth: '"1"' },
  'okx-v5': { symbols: /-USD-(SWAP|\d{6})$/, worth: '"100" for BTC, "10" for others' },
  'tardis-csv': { symbols: /^XBTUSD$|^(BTC|ETH)-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2})$/, worth: '"1"' },
};

const namedMax = 4;

/** What has to be said of inverse contracts that are not known as such: what they are settled in is reckoned wrong. */
export function inverseNotes(format: string, instruments: Instruments): readonly string[] {
  const rule = rules[format];
  if (rule === undefined) return [];
  const found = instruments.all.filter(
    ({ symbol, contract }) => !contract.isInverse && rule.symbols.test(symbol),
  );
  if (found.length === 0) return [];
  const names = listed(
    found.map(({ symbol }) => symbol),
    namedMax,
  );
  return [
    `${names}: inverse contracts, settled in the coin; without a scenario that says instrument: { kind: inverse, contract: ... } (${rule.worth}) amounts of money are wrong`,
  ];
}
