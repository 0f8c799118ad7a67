const part = 1_000;
const endings = Array.from({ length: part }, (_, i) => String(i).padStart(3, '0'));

/** Texts of numbers that follow each other: the beginning is kept, only the last digits change. */
export class NumberText {
  #beginning = 0;
  #text = '';

  /** `value`, a whole number not below zero, as text. */
  of(value: number): string {
    if (value < part) return String(value);
    // A remainder of doubles is several times slower than this.
    const beginning = Math.floor(value / part);
    const ending = value - beginning * part;
    if (beginning !== this.#beginning) {
      this.#beginning = beginning;
      this.#text = String(beginning);
    }
    return this.#text + (endings[ending] as string);
  }
}
