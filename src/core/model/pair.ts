import { BadInput } from '../base/errors.ts';

/** The two currencies of a symbol. */
export interface Pair {
  readonly base: string;
  readonly quote: string;
}

/** The quote currency of what is read for something else than money. */
export const anyQuote = '?';

/** Coins that stand for a currency of a state; those whose names end like others come first. */
const stable = (
  'USDT USDC FDUSD BUSD TUSD GUSD PYUSD RLUSD USDP USDS USDE USDD USDG USD1 XUSD DAI ' +
  'EURT EURS EURC EURI AEUR BIDR IDRT BVND BRL1 BRZ TRYB XSGD GYEN PAX USTC UST'
).split(' ');

/** Currencies of states in which exchanges quote. */
const fiat = (
  'USD EUR GBP JPY CHF TRY AUD CAD NZD SEK NOK DKK PLN CZK HUF RON BGN UAH RUB GEL KZT ILS ' +
  'BRL MXN ARS COP CLP PEN ZAR NGN KES GHS EGP MAD AED SAR QAR KWD BHD ' +
  'KRW CNY CNH HKD TWD SGD INR IDR THB PHP MYR VND PKR BDT IRR LBP UZS UGX TZS'
).split(' ');

/** Money without a fraction. */
export const wholeMoneys: ReadonlySet<string> = new Set('JPY KRW IDR VND'.split(' '));
/** Money of which a dollar is worth hundreds or more. */
export const smallMoneys: ReadonlySet<string> = new Set(
  'IDR IDRT BIDR VND BVND KRW IRR LBP COP CLP NGN UZS UGX TZS HUF ARS JPY KZT PKR RUB'.split(' '),
);

/** Coins in which exchanges quote. */
export const quoteCoins: readonly string[] =
  'BTC XBT ETH BNB EOS BCH TRX XRP SOL DOGE DOT LTC ADA XLM KCS OKB CRO'.split(' ');

/** Currencies of states, and coins that stand for them. */
export const moneys: readonly string[] = [...stable, ...fiat];

/** The quote currencies that are known by the names of symbols, in the order in which their ends are looked for. */
const quotes: readonly string[] = [...moneys, ...quoteCoins];
const known: ReadonlySet<string> = new Set(quotes);
const fiats: ReadonlySet<string> = new Set(fiat);

/** Words that follow a pair in the names of contracts: `BTC-USDT-SWAP`, `ETHUSD_PERP`. */
const perpetual = /^(?:PERP|PERPETUAL|SWAP|P)$/;
/** A currency behind a separator; shorter and longer words, and words of contracts, are none. */
const currency = /^(?!PERP$|SWAP$|MOVE$|SPOT$|FUT$|BULL$|BEAR$|HALF$|HEDGE$)[A-Z][A-Z0-9]{2,5}$/;
const dated = /^[FGHJKMNQUVXZ]\d{1,2}$/;
const separator = /[-_/:.@ ]/;

/**
 * The currencies of a symbol as venues write it: `BTCUSDT`, `1INCH/GBP`, `BTC-USD-SWAP`, `PI_XBTUSD`, `ETHUSD_PERP`. `undefined`
 * where its name does not tell them. `quote` is what the user says: a symbol that ends with it is cut there, and one that tells
 * nothing is its own base, without the word for a perpetual contract.
 */
export function pairOf(symbol: string, quote?: string): Pair | undefined {
  const upper = symbol.toUpperCase();
  const parts = upper.split(separator).filter((part) => part !== '');
  const said = quote?.toUpperCase();
  if (said !== undefined) {
    const cut = parts.flatMap((part, at) => cutAt(part, said, parts[at - 1]) ?? [])[0];
    if (cut !== undefined) return { base: cut, quote: said };
  }
  const pair = parts.length > 1 ? pairOfParts(parts, upper.includes('/')) : pairOfWord(upper);
  if (said === undefined) return pair;
  // Few currencies have names so short: CETH of which USD is said is a share, and not C in ETH.
  if (pair !== undefined && pair.base.length >= 3) return pair;
  const last = parts.at(-1) ?? '';
  const base = parts.length > 1 && perpetual.test(last) ? upper.slice(0, -last.length - 1) : upper;
  return base === said ? undefined : { base, quote: said };
}

/** `pairOf` of a venue that quotes in one currency what names none. */
export function quotedIn(quote: string): (symbol: string) => Pair | undefined {
  return (symbol) => pairOf(symbol) ?? pairOf(symbol, quote);
}

/** The same as `pairOf`. Throws `BadInput`, with the ways to name the currency, where the name does not tell it. */
export function pairIn(symbol: string, quote?: string): Pair {
  const pair = pairOf(symbol, quote);
  if (pair !== undefined) return pair;
  throw new BadInput(
    `${symbol}: expected a symbol that ends with a known quote currency, such as XRPUSDT or XRP/GBP, found ${quote === undefined ? 'none' : `${quote} alone`}; name the currency with data import --quote CURRENCY, in a scenario with instrument: { quote: CURRENCY }`,
  );
}

/** Quote currency of shares, indices and contracts of exchanges where nothing says it. */
export const shareQuote = 'USD';

/**
 * The same of a symbol that may be a share as well: it is quoted in dollars. Six letters and a few more in one word may be the
 * names of two currencies, and are refused as such.
 */
export function pairOrShareIn(symbol: string, quote?: string): Pair {
  const isPair = /^(?=\d*[A-Za-z])[A-Za-z0-9]{6,9}$/.test(symbol);
  const known = quote === undefined ? pairOf(symbol) : pairIn(symbol, quote);
  if (known !== undefined || isPair || symbol === shareQuote) return known ?? pairIn(symbol);
  // Deribit's perpetuals name no currency: BTC-PERPETUAL is one of BTC.
  return pairOf(symbol, shareQuote) ?? { base: symbol, quote: shareQuote };
}

/** Text before the quote currency that is said: in the same word, or in the one before. */
function cutAt(part: string, said: string, before: string | undefined): string | undefined {
  if (part === said) return before === said ? undefined : before;
  return part.endsWith(said) ? part.slice(0, -said.length) : undefined;
}

function pairOfParts(parts: readonly string[], isSlashed: boolean): Pair | undefined {
  const [first = '', second = ''] = parts;
  if (first !== second && known.has(second)) return { base: first, quote: second };
  for (const part of parts) {
    const pair = pairOfWord(part);
    if (pair !== undefined) return pair;
  }
  const isStated = isSlashed ? /^[A-Z0-9]{1,20}$/.test(second) : currency.test(second) && !dated.test(second);
  return isStated && first !== second ? { base: first, quote: second } : undefined;
}

/** Most bases have three letters or more: XBTUSD is XBT and USD, not XB and TUSD; USDTUSD is not USD and TUSD. */
function pairOfWord(word: string): Pair | undefined {
  const ends = quotes.filter((quote) => word.endsWith(quote) && word.length > quote.length);
  const pairs = ends.map((quote) => ({ base: word.slice(0, -quote.length), quote }));
  const long = pairs.filter(({ base }) => base.length >= 3);
  const likely = long.filter(({ base, quote }) => !fiats.has(base) || fiats.has(quote));
  return likely[0] ?? long[0] ?? pairs[0];
}
