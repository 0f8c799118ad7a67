import { printDecimal } from '../../../core/base/scan.ts';
import type { InstrumentSpec } from '../../../core/model/instrument.ts';
import { plainDecimal } from '../tables/index.ts';
import type { DbnHeader } from './databento-header.ts';
import type { DbnRecord, DbnSink } from './databento-records.ts';
import { badDbnPrice, dbnTypes, isDbnPrice } from './databento-records.ts';
import { specOf } from '../symbol-survey.ts';
import { refuseTooMany } from '../../../core/model/symbols-max.ts';
import type { OpenOptions } from '../format.ts';

const priceDecimals = 9;

const actionNames: ReadonlyMap<string, string> = new Map([
  ['R', 'clear'],
  ['A', 'add'],
  ['C', 'cancel'],
  ['M', 'modify'],
  ['T', 'trade'],
  ['F', 'fill'],
  ['N', 'none'],
]);

/** The first pass over DBN files: instruments, the grid of their prices, and how many records of which action there are. */
export class DbnSurvey implements DbnSink {
  readonly headers: DbnHeader[] = [];
  readonly actions = new Map<string, number>();
  /** Symbols of the instrument ids that have records, for each file. Venues number anew each day. */
  readonly files: Map<number, string>[] = [];
  /** Greatest common divisor of the prices by symbol, in units of 10^-9. */
  readonly #steps = new Map<string, number>();
  #current = '';
  #names: ReadonlyMap<number, string> = new Map();
  /** Whether all records are of market by order. */
  isByOrder = true;
  /** Records that were read and are as they should be. */
  records = 0;
  others = 0;

  /** `path` is only named in errors. */
  startFile(path: string): void {
    this.#current = path;
    this.#names = new Map();
    this.files.push(new Map());
  }

  header(header: DbnHeader): void {
    this.headers.push(header);
    this.#names = header.symbols;
  }

  record(record: DbnRecord): void {
    this.#price(record, record.price);
    for (let level = 0; level < record.depth; level++) {
      this.#price(record, record.levels[level * 4] as number);
      this.#price(record, record.levels[level * 4 + 1] as number);
    }
    const name = actionNames.get(record.action) ?? record.action;
    this.actions.set(name, (this.actions.get(name) ?? 0) + 1);
    if (record.rtype !== dbnTypes.mbo) this.isByOrder = false;
    this.records += 1;
  }

  other(_rtype: number): void {
    this.others += 1;
  }

  /** In the order of their first record. */
  get symbols(): readonly string[] {
    return [...this.#steps.keys()];
  }

  /** Symbols that stand for several instruments of one file, such as continuous ones. */
  notes(): readonly string[] {
    return this.files.flatMap((ids) =>
      [...new Set(ids.values())].flatMap((symbol) => {
        const own = [...ids].flatMap(([id, name]) => (name === symbol ? [id] : []));
        return own.length < 2
          ? []
          : `${symbol} is of the instruments ${own.join(', ')}, one behind the other: where one ends, prices may jump`;
      }),
    );
  }

  spec(symbol: string, options: OpenOptions): InstrumentSpec {
    const step = this.#steps.get(symbol) ?? 0;
    return specOf(
      symbol,
      { base: symbol, quote: options.quote ?? 'USD' },
      { tick: options.tick ?? tickOf(step), increment: options.increment ?? '1' },
    );
  }

  /** How many records of which action, in words. */
  words(): string {
    const total = [...this.actions.values()].reduce((sum, count) => sum + count, 0);
    const parts = [...this.actions].map(([name, count]) => `${count} ${name}`).join(', ');
    return `${total} records: ${parts}`;
  }

  #price(record: DbnRecord, price: number): void {
    const symbol = this.#symbolOf(record.instrument);
    const before = this.#steps.get(symbol) ?? 0;
    if (Number.isNaN(price)) {
      this.#steps.set(symbol, before);
      return;
    }
    if (!isDbnPrice(price)) throw badDbnPrice(this.#current, record.number, price);
    let [large, small] = price > before ? [price, before] : [before, price];
    while (small > 0) [large, small] = [small, large % small];
    this.#steps.set(symbol, large);
  }

  #symbolOf(id: number): string {
    const ids = this.files.at(-1);
    let symbol = ids?.get(id);
    if (symbol === undefined) {
      symbol = this.#names.get(id) ?? String(id);
      refuseTooMany(this.#steps.size, symbol, this.#current);
      ids?.set(id, symbol);
    }
    return symbol;
  }
}

/**
 * The tick that divides all prices: a power of ten, or two, five or twenty-five of it (0.25 for index futures). A larger
 * divisor is chance.
 */
function tickOf(step: number): string {
  if (step === 0) return '0.01';
  const decimals = plainDecimal(printDecimal(step, priceDecimals))?.split('.')[1]?.length ?? 0;
  const unit = 10 ** (priceDecimals - decimals);
  const factor = [25, 5, 2, 1].find((one) => step % (one * unit) === 0) ?? 1;
  return plainDecimal(printDecimal(decimals === 0 ? unit : factor * unit, priceDecimals)) ?? '1';
}
