/** How many lots of `total` are due once part `slice` (from 1) of `slices` has come; all of them with the last. */
export function dueBy(total: number, slice: number, slices: number): number {
  return slice >= slices ? total : Math.floor((total * slice) / slices);
}
