const part = 1_000;
/** Two texts that come to thirteen units or more are joined by the engine only when somebody reads them. */
const joinedAtOnce = 1e12;
const endings = Array.from({ length: part }, (_, i) => String(i).padStart(3, '0'));

/**
 * Texts of numbers that follow each other: the beginning is kept, only the last digits change. `String` files every text
 * in a table of the engine, where it lives until a later one takes its place: it outlives the nursery.
 */
export class NumberText {
  #beginning = 0;
  #text = '';

  /** `value`, a whole number, as text. */
  of(value: number): string {
    if (value < part || value >= joinedAtOnce) return String(value);
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
