const part = 1_000;
/** V8 joins two strings of thirteen characters or more lazily, when the result is read. */
const joinedAtOnce = 1e12;
const endings = Array.from({ length: part }, (_, i) => String(i).padStart(3, '0'));

/**
 * Formats consecutive numbers: the leading digits are cached, only the last three change. `String(value)` would put every
 * result into the number-string cache of V8, where it outlives the young generation. Fast twin of `String`: row
 * `corridor-pack-touch-maker`, 1.12 times as fast.
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

/** A decimal without the zeros at its end, nor a point that nothing follows: `1.500` is `1.5`. Text without a point stays as it is. */
export function withoutZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === zeroCode) end -= 1;
  if (text.charCodeAt(end - 1) === pointCode) end -= 1;
  return text.slice(0, end);
}

/** Codes of the digits and of the point of a number. */
export const zeroCode = 0x30;
export const nineCode = 0x39;
export const pointCode = 0x2e;
