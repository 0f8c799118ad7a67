export interface ShrinkParts<Fault> {
  readonly faults: readonly Fault[];
  /** Whether these alone break what all of them broke. */
  readonly breaks: (kept: readonly Fault[]) => Promise<boolean>;
  /** How long to go on, in processor time. */
  readonly limitMs?: number;
}

/**
 * The fewest faults found that still break the same: pieces of the list are left out, halves first, then smaller
 * ones, as long as time is left. Source: faults, section 4.
 */
export async function shrink<Fault>({
  faults: all,
  breaks,
  limitMs = 60_000,
}: ShrinkParts<Fault>): Promise<readonly Fault[]> {
  const begun = process.cpuUsage();
  const spent = (): number => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  };
  let faults = all;
  for (let size = Math.ceil(faults.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < faults.length && spent() < limitMs;) {
      const kept = faults.filter((_, at) => at < from || at >= from + size);
      if (await breaks(kept)) faults = kept;
      else from += size;
    }
  }
  return faults;
}
