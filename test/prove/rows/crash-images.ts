import type { Row } from '../row.ts';

const seed = 20_260_901;

export const rows: readonly Row[] = [
  {
    name: 'crash-images',
    shows:
      'files of the journal that are cut, zeroed, changed by a bit or reordered at any record and offset lose no acknowledged record unnoticed',
    minutes: 8,
    shortSeconds: 8,
    async measure({ isShort, chunk, tell, stopped }) {
      const { CrashImages, noCounts } = await import('../measure/crash-images.ts');
      const { offsets, size, records } = isShort
        ? { offsets: 100, size: 100, records: 40 }
        : { offsets: 20_000, size: 500, records: 90 };
      const images = await CrashImages.write(records);
      const all: ReturnType<typeof noCounts>[] = [];
      const begun = performance.now();
      const piece = async (
        name: string,
        count: (counts: ReturnType<typeof noCounts>) => void,
      ): Promise<void> => {
        const value = await chunk(name, async () => {
          // A signal comes through between two pieces alone.
          await new Promise((resolve) => setImmediate(resolve));
          const counts = noCounts();
          const from = performance.now();
          if (!stopped.aborted) count(counts);
          return { ...counts, ms: performance.now() - from };
        });
        all.push(value);
        tell(`${name}: ${value.images} images, ${((performance.now() - begun) / 60_000).toFixed(1)} minutes`);
      };
      try {
        for (let from = 0; from < images.records; from += 10)
          await piece(`records from ${from}`, (counts) => images.boundaries(from, from + 10, counts));
        for (let from = 0; from < offsets; from += size)
          await piece(`offsets from ${from}`, (counts) => images.offsets(seed + from, size, counts));
      } finally {
        images.remove();
      }
      const sum = (of: 'images' | 'lost' | 'unnoticed' | 'phantoms' | 'noticed'): number =>
        all.reduce((total, one) => total + one[of], 0);
      const wrong = all.flatMap((one) => one.wrong).slice(0, 5);
      const note = wrong.length === 0 ? {} : { note: wrong.join('; ') };
      return [
        {
          name: 'images',
          value: sum('images'),
          unit: `of ${images.records} records in ${images.segments} segments`,
          ...(!isShort && { limit: { atLeast: 4 * (offsets + images.records) } }),
          seed,
        },
        {
          name: 'records lost by a crash',
          value: sum('lost'),
          unit: 'records',
          limit: { atMost: 0 },
          seed,
          ...note,
        },
        {
          name: 'records lost by damage and unnoticed',
          value: sum('unnoticed'),
          unit: 'records',
          limit: { atMost: 0 },
          seed,
          ...note,
        },
        {
          name: 'records that were never written',
          value: sum('phantoms'),
          unit: 'records',
          limit: { atMost: 0 },
          seed,
        },
        { name: 'damage that a start notices', value: sum('noticed'), unit: 'images', seed },
      ];
    },
  },
];
