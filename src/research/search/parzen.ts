import type { Random } from '../../core/base/random.ts';
import type { Dimension } from './space.ts';

/** Least width of a kernel, and the width of one alone. */
const widthMin = 0.02;
const widthOfOne = 0.25;
/** Weight that a choice that was not seen keeps. */
const otherChoices = 0.3;

/**
 * A density over the unit cube: one product of kernels around each of the given points, and the even density as one
 * more, so that no place is impossible.
 */
export class ParzenDensity {
  readonly #centres: readonly (readonly number[])[];
  readonly #dimensions: readonly Dimension[];
  readonly #width: number;
  /** Mass of each kernel inside the cube, by point and dimension. */
  readonly #masses: readonly (readonly number[])[];

  constructor(dimensions: readonly Dimension[], centres: readonly (readonly number[])[]) {
    this.#dimensions = dimensions;
    this.#centres = centres;
    const shrink = Math.max(1, centres.length) ** (-1 / (dimensions.length + 4));
    this.#width = Math.max(widthMin, widthOfOne * shrink);
    this.#masses = centres.map((centre) =>
      centre.map((at) => normalBelow((1 - at) / this.#width) - normalBelow(-at / this.#width)),
    );
  }

  /** A place drawn from the density. */
  draw(random: Random): readonly number[] {
    const number = random.between(0, this.#centres.length);
    const centre = this.#centres[number];
    if (centre === undefined) return this.#dimensions.map(() => random.float());
    return this.#dimensions.map((dimension, index) => {
      const at = centre[index] ?? 0.5;
      if (dimension.kind === 'choice') return random.chance(otherChoices) ? random.float() : at;
      for (let i = 0; i < 100; i++) {
        const drawn = at + this.#width * random.normal();
        if (drawn >= 0 && drawn <= 1) return drawn;
      }
      return at;
    });
  }

  /** Logarithm of the density at a place. */
  logAt(units: ArrayLike<number>): number {
    let sum = 1;
    for (let i = 0; i < this.#centres.length; i++) sum += this.#kernel(i, units);
    return Math.log(sum / (this.#centres.length + 1));
  }

  #kernel(number: number, units: ArrayLike<number>): number {
    const centre = this.#centres[number] ?? [];
    let product = 1;
    for (let i = 0; i < this.#dimensions.length; i++) {
      const dimension = this.#dimensions[i];
      const at = centre[i] ?? 0.5;
      const unit = units[i] ?? 0.5;
      if (dimension?.kind === 'choice') {
        const count = dimension.choices.length;
        const isSame = Math.floor(unit * count) === Math.floor(at * count);
        product *= otherChoices + (isSame ? (1 - otherChoices) * count : 0);
      } else {
        const away = (unit - at) / this.#width;
        const mass = this.#masses[number]?.[i] ?? 1;
        product *= Math.exp(-0.5 * away * away) / (this.#width * Math.sqrt(2 * Math.PI) * mass);
      }
    }
    return product;
  }
}

/** The normal distribution function, to 1e-7. Source: Abramowitz and Stegun, 26.2.17. */
function normalBelow(x: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(x));
  const poly =
    t *
    (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const tail = (Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI)) * poly;
  return x >= 0 ? 1 - tail : tail;
}
