import { printDecimal } from '../base/scan.ts';
import type { InstrumentSpec } from '../model/instrument.ts';
import { plainDecimal } from './bars-decimal.ts';
import type { DbnHeader } from './databento-header.ts';
import type { DbnRecord, DbnSink } from './databento-records.ts';
import { badDbnPrice, dbnTypes, isDbnPrice } from './databento-records.ts';
import { specOf } from './symbol-survey.ts';
import type { OpenOptions } from './format.ts';

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
  /** By instrument id: the greatest common divisor of its prices, in units of 10^-9. */
  readonly #steps = new Map<number, number>();
  #current = '';
  /** Whether all records are of market by order. */
  isByOrder = true;
  /** Records that were read and are as they should be. */
  records = 0;
  others = 0;

  /** `path` is only named in errors. */
  startFile(path: string): void {
    this.#current = path;
  }

  header(header: DbnHeader): void {
    this.headers.push(header);
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

  /** Instrument ids in the order of their first record. */
  get instruments(): readonly number[] {
    return [...this.#steps.keys()];
  }

  symbolOf(id: number): string {
    for (const { symbols } of this.headers) {
      const symbol = symbols.get(id);
      if (symbol !== undefined) return symbol;
    }
    return String(id);
  }

  spec(id: number, options: OpenOptions): InstrumentSpec {
    const step = this.#steps.get(id) ?? 0;
    return {
      ...specOf(this.symbolOf(id), options.tick ?? tickOf(step), options.increment ?? '1'),
      quoteCurrency: 'USD',
      feeCurrency: 'USD',
    };
  }

  /** How many records of which action, in words. */
  words(): string {
    const total = [...this.actions.values()].reduce((sum, count) => sum + count, 0);
    const parts = [...this.actions].map(([name, count]) => `${count} ${name}`).join(', ');
    return `${total} records: ${parts}`;
  }

  #price(record: DbnRecord, price: number): void {
    const before = this.#steps.get(record.instrument) ?? 0;
    if (Number.isNaN(price)) {
      this.#steps.set(record.instrument, before);
      return;
    }
    if (!isDbnPrice(price)) throw badDbnPrice(this.#current, record.number, price);
    let [large, small] = price > before ? [price, before] : [before, price];
    while (small > 0) [large, small] = [small, large % small];
    this.#steps.set(record.instrument, large);
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
