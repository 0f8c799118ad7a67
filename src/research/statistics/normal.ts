const tailStart = 6;

/** The probability that a standard normal variable is at most `x`; fifteen digits for |x| up to 6. */
export function normalProbability(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x < -tailStart) return tail(-x);
  if (x > tailStart) return 1 - tail(x);
  let term = x;
  let total = x;
  for (let n = 3; Math.abs(term) > 1e-17 * Math.abs(total) && n < 400; n += 2) {
    term *= (x * x) / n;
    total += term;
  }
  return 0.5 + total * density(x);
}

/** The inverse of `normalProbability`, for probabilities between 0 and 1, both left out. */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) return Number.NaN;
  let low = -40;
  let high = 40;
  // Halving first, so that the steps of Newton that follow cannot leave.
  for (let i = 0; i < 12; i++) {
    const middle = (low + high) / 2;
    if (normalProbability(middle) < probability) low = middle;
    else high = middle;
  }
  let x = (low + high) / 2;
  for (let i = 0; i < 20; i++) {
    const step = (normalProbability(x) - probability) / density(x);
    x -= step;
    if (!(Math.abs(step) > 1e-15 * Math.abs(x))) break;
  }
  return x;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** The probability beyond `x` above 6, as a continued fraction. */
function tail(x: number): number {
  let fraction = x;
  for (let n = 60; n >= 1; n--) fraction = x + n / fraction;
  return density(x) / fraction;
}
