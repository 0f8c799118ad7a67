/** Ids are numbers on the wire; one that a double cannot hold stays text. */
export function idNumber(id: string): number | string {
  const value = Number(id);
  return Number.isSafeInteger(value) && String(value) === id ? value : id;
}
