/** The candidate closest to `word` by edit distance, if close enough to be a slip of the pen. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = (word.length < 5 ? 1 : Math.max(2, Math.floor(word.length / 3))) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Hint at what may have been meant: the nearest candidate, or all of them. */
export function hintOf(word: string, candidates: readonly string[], listed = 'known are'): string {
  const near = nearest(word, candidates);
  return near === undefined ? `${listed} ${candidates.join(', ')}` : `did you mean ${near}?`;
}

function editDistance(a: string, b: string): number {
  if (Math.max(a.length, b.length) > 64) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
