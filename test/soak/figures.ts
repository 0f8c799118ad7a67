/** One look at the daemon. */
export interface Sample {
  /** 0 before the kill, 1 after it. */
  readonly life: number;
  /** Seconds since the beginning. */
  readonly time: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly lagP99Seconds: number;
  readonly feedAgeSeconds: number;
  readonly commands: number;
  readonly fills: number;
  readonly unknown: number;
  readonly processorSeconds: number;
  readonly journalBytes: number;
}

export type SoakFigures = Readonly<Record<string, number>>;

/** Until then a daemon grows: code is compiled, caches fill. */
const warmSeconds = 180;

/** The figures of all samples. A slope is that of the second life once it is warm, or of its second half where it is short. */
export function figuresOf(samples: readonly Sample[]): SoakFigures {
  const lives = [0, 1].map((life) => samples.filter((sample) => sample.life === life));
  const [first = [], second = []] = lives;
  const begun = second[0]?.time ?? 0;
  const warm = second.filter(({ time }) => time - begun >= warmSeconds);
  const steady = warm.length >= 3 ? warm : second.slice(Math.floor(second.length / 2));
  const last = lives.map((life) => life.at(-1));
  const added = (what: 'commands' | 'fills' | 'processorSeconds'): number =>
    last.reduce((sum, sample) => sum + (sample?.[what] ?? 0), 0);
  const seconds = samples.at(-1)?.time ?? 0;
  const mebibytes = (bytes: number | undefined): number => rounded((bytes ?? 0) / 1_048_576);
  return {
    minutes: rounded(seconds / 60),
    rssStartMiB: mebibytes(first[0]?.rssBytes),
    rssBeforeKillMiB: mebibytes(first.at(-1)?.rssBytes),
    rssEndMiB: mebibytes(second.at(-1)?.rssBytes),
    rssSlopeMiBPerHour: mebibytes(slope(steady, 'rssBytes') * 3_600),
    heapEndMiB: mebibytes(second.at(-1)?.heapBytes),
    heapSlopeMiBPerHour: mebibytes(slope(steady, 'heapBytes') * 3_600),
    lagP99MsMedian: rounded(quantile(samples, 'lagP99Seconds', 0.5) * 1_000),
    lagP99MsMost: rounded(quantile(samples, 'lagP99Seconds', 1) * 1_000),
    feedAgeMsMost: rounded(quantile(samples, 'feedAgeSeconds', 1) * 1_000),
    commands: added('commands'),
    fills: added('fills'),
    unknownMost: quantile(samples, 'unknown', 1),
    processorPercent: rounded((added('processorSeconds') / seconds) * 100),
    journalMiBPerHour: mebibytes(((second.at(-1)?.journalBytes ?? 0) / seconds) * 3_600),
  };
}

function quantile(samples: readonly Sample[], what: keyof Sample, share: number): number {
  const sorted = samples.map((sample) => sample[what]).toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** Least squares, a second. */
function slope(samples: readonly Sample[], what: keyof Sample): number {
  const count = samples.length;
  if (count < 2) return 0;
  const mean = (of: keyof Sample): number => samples.reduce((sum, sample) => sum + sample[of], 0) / count;
  const [time, value] = [mean('time'), mean(what)];
  const above = samples.reduce((sum, sample) => sum + (sample.time - time) * (sample[what] - value), 0);
  const below = samples.reduce((sum, sample) => sum + (sample.time - time) ** 2, 0);
  return above / below;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
