import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';

/** Characters a strategy may print in a second. */
export const printedPerSecondMax = 65_536;

/** Writes to the standard error of this process, where what a strategy in the thread prints goes, too. */
export function printError(text: string): void {
  process.stderr.write(text);
}

/** Output that a strategy prints by itself (`console.log`): passed on, up to 65,536 characters a second, and said when there is more. */
export class Printout {
  readonly #who: string;
  readonly #now: () => Micros;
  readonly #print: (text: string) => void;
  #second = -1;
  #allowance = 0;

  constructor(who: string, now: () => Micros, print: (text: string) => void) {
    this.#who = who;
    this.#now = now;
    this.#print = print;
  }

  takeText(text: string): void {
    const second = Math.floor(this.#now() / microsPerSecond);
    if (second !== this.#second) {
      this.#second = second;
      this.#allowance = printedPerSecondMax;
    }
    if (this.#allowance === 0) return;
    const kept = text.slice(0, this.#allowance);
    this.#allowance -= kept.length;
    this.#print(kept);
    if (kept.length < text.length) this.#allowance = 0;
    if (this.#allowance > 0) return;
    this.#print(
      `\n${this.#who} prints more than ${printedPerSecondMax} characters a second: the rest of this one is left out\n`,
    );
  }
}
