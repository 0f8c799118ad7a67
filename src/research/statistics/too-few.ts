/** Why a figure that needs `needed` of `what`, a noun in the plural, is not told. */
export function tooFew(needed: number, what: string, have: number): string {
  return `needs ${needed} ${needed === 1 ? what.replace(/s( with .*)?$/, '$1') : what}, has ${have}`;
}
