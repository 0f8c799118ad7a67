/** At most so many names in words: `A, B and 7 more`. */
export function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  const first = names.slice(0, most).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
