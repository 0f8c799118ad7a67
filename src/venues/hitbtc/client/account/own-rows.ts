import { amountDecimals } from '../../../../core/base/amount.ts';
import { withoutExponent } from '../../../../core/base/exponent.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Instruments } from '../../../../core/model/instrument.ts';
import type { Balance } from '../../../../core/model/market.ts';
import { walletBalance } from '../../wire/resources/account.ts';

export interface OwnRowsDeps {
  readonly instruments: Instruments;
  /** Whether something is traded for a currency, or held of it; everything is when left out. */
  readonly isTraded?: ((currency: string) => boolean) | undefined;
  /** A row of what is not traded cannot be read and is left out; called once for each. */
  readonly onSkipped?: ((what: string, why: string) => void) | undefined;
}

/** Rows that were told to be skipped; beyond, some are told again. */
const toldMax = 1_000;

/**
 * Reads rows about the own account. One that cannot be read ends in `BadInput` with its place and name, unless it is of a currency or
 * symbol that nothing is traded for: such a row is left out.
 */
export class OwnRows {
  readonly #setup: OwnRowsDeps;
  readonly #told = new Set<string>();

  constructor(setup: OwnRowsDeps) {
    this.#setup = setup;
  }

  get instruments(): Instruments {
    return this.#setup.instruments;
  }

  /** Balances of a wallet. An amount in another numeral, such as `1E-8`, is read as far as an amount has decimals. */
  balances(json: unknown): readonly Balance[] {
    if (!Array.isArray(json)) throw new BadInput('balances: expected a list');
    return this.each('balances', json as readonly unknown[], (row) => {
      try {
        return walletBalance.v3.decode(row);
      } catch (error) {
        const plain = error instanceof BadInput && this.#isTraded(row) ? withPlainNumbers(row) : undefined;
        if (plain === undefined) throw error;
        return walletBalance.v3.decode(plain);
      }
    });
  }

  /** The rows that `read` makes of `rows`, those left out that cannot be read and are of what is not traded. */
  each<Row>(what: string, rows: readonly unknown[], read: (row: unknown) => Row): readonly Row[] {
    const found: Row[] = [];
    for (const [index, row] of rows.entries()) {
      try {
        found.push(read(row));
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        const name = nameOf(row);
        const where = `${what}, row ${index + 1}${name === undefined ? '' : ` (${name})`}`;
        if (this.#isTraded(row)) throw new BadInput(`${where}: ${error.message}`, { cause: error });
        this.#skipped(`${what} of ${name}`, `${where}: ${error.message}`);
      }
    }
    return found;
  }

  /** A row that names neither a currency nor a symbol may be of anything. */
  #isTraded(row: unknown): boolean {
    const { instruments, isTraded = () => true } = this.#setup;
    const name = nameOf(row);
    if (name === undefined) return true;
    const instrument = instruments.find(name);
    if (memberOf(row, 'symbol') === undefined || instrument === undefined) return isTraded(name);
    const { baseCurrency, quoteCurrency } = instrument.spec;
    return isTraded(baseCurrency) || isTraded(quoteCurrency);
  }

  #skipped(what: string, why: string): void {
    if (this.#told.has(what)) return;
    if (this.#told.size >= toldMax) this.#told.clear();
    this.#told.add(what);
    this.#setup.onSkipped?.(what, why);
  }
}

function nameOf(row: unknown): string | undefined {
  return memberOf(row, 'symbol') ?? memberOf(row, 'currency');
}

function memberOf(row: unknown, name: 'symbol' | 'currency'): string | undefined {
  if (typeof row !== 'object' || row === null || !(name in row)) return undefined;
  const value = (row as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value.slice(0, 40) : undefined;
}

/** The row with every amount as a plain decimal of as many places as an amount has; `undefined` when one is no number. */
function withPlainNumbers(row: unknown): unknown {
  const plain: Record<string, unknown> = { ...(row as object) };
  for (const [name, value] of Object.entries(plain)) {
    if (name === 'currency' || value === null || value === undefined) continue;
    const text =
      typeof value === 'string' || typeof value === 'number' ? plainText(String(value)) : undefined;
    if (text === undefined) return undefined;
    plain[name] = text;
  }
  return plain;
}

const numeral = /^(-?\d{1,60})(?:\.(\d*))?$/;

/** Without an exponent, and cut towards zero. */
function plainText(text: string): string | undefined {
  const match = numeral.exec(withoutExponent(text));
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  const decimals = fraction.slice(0, amountDecimals);
  return decimals === '' ? whole : `${whole}.${decimals}`;
}
