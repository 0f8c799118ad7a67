/** A number to the nearest whole one, halves to the even neighbour, as numeric libraries round. */
export function roundHalfEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  if (rest !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}
