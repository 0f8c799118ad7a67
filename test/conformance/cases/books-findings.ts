import { Book } from '../../../src/core/book/book.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { levelStride } from '../../../src/core/model/level-buffer.ts';
import type { ConformanceCase } from '../case.ts';
import { checkEqual, openRecorded } from '../recorded.ts';

/** What the description of the recorded data says of a recording. */
interface Described {
  readonly files: readonly string[];
  readonly snapshots: number;
  readonly updates?: number;
  readonly trades?: number;
  /** Of snapshots and updates together. */
  readonly levels?: number;
  readonly crossed?: number;
  readonly findings?: readonly string[];
}

const described: readonly Described[] = [
  {
    files: ['books-checksum/kraken-v1-20210417.txt.gz'],
    snapshots: 10,
    updates: 4_269,
    levels: 11_745,
    crossed: 0,
  },
  {
    files: ['books-checksum/bitget-20220407.spot.txt.gz'],
    snapshots: 8,
    updates: 435,
    trades: 430,
    levels: 31_253,
    crossed: 0,
  },
  {
    files: ['books-checksum/bitget-20220407.futures.txt.gz'],
    snapshots: 2,
    updates: 192,
    trades: 125,
    levels: 34_056,
    crossed: 0,
  },
  {
    files: ['books-checksum/ftx-tr-20220429.txt.gz'],
    snapshots: 10,
    updates: 2_801,
    trades: 165,
    levels: 10_200,
    crossed: 0,
  },
  {
    files: ['books-other/coinbase-level2-20210417.txt.gz'],
    snapshots: 10,
    updates: 9_719,
    trades: 107,
    crossed: 0,
    findings: [],
  },
  { files: ['books-other/deribit-20210722.txt.gz'], snapshots: 10, updates: 36, crossed: 0, findings: [] },
  {
    files: ['books-other/bitmex-orderbookl2-20210722.txt.gz'],
    snapshots: 10,
    updates: 445 + 1_090 + 434,
    trades: 27,
    levels: 14_333,
    crossed: 0,
    findings: [],
  },
  {
    files: ['books-other/kraken-futures-20210722.txt.gz'],
    snapshots: 10,
    updates: 7_014,
    trades: 1_003,
    crossed: 0,
    findings: [],
  },
  {
    files: ['books-other/bitstamp-diff-20220105.ws.txt.gz', 'books-other/bitstamp-diff-20220105.rest.txt.gz'],
    snapshots: 10,
    trades: 10,
    crossed: 0,
    findings: [],
  },
  {
    files: [
      'books-other/binance-futures-20210722.ws.txt.gz',
      'books-other/binance-futures-20210722.rest.txt.gz',
    ],
    snapshots: 4,
    trades: 91,
    crossed: 0,
    findings: [],
  },
  {
    files: ['books-other/binance-spot-20211012.ws.txt.gz', 'books-other/binance-spot-20211012.rest.txt.gz'],
    snapshots: 4,
    trades: 2,
    crossed: 0,
    findings: [],
  },
  {
    files: ['formats/bybit/2024-12-01_XRPUSDT_ob500.data.zip'],
    snapshots: 1,
    updates: 49,
    crossed: 0,
    findings: [],
  },
  {
    files: ['l3/coinbase-rest-l2-20260807.json.gz'],
    snapshots: 1,
    updates: 0,
    levels: 18_376 + 27_017,
    crossed: 0,
  },
  {
    files: ['l3/bitstamp-l3-20150501.log.xz'],
    snapshots: 1,
    trades: 575,
    findings: [
      '205 deletes of orders that do not rest',
      '21 of them repeated deletes',
      '3 changes of orders created before the log',
      '1 changes of deleted orders left out',
      '5 re-created ids of orders left out',
      '36 prices of orders changed in place',
      '48 gaps between ids of trades',
      '3 ids of trades that do not increase',
      '1882 books of the venue that a left-out change would have crossed',
    ],
  },
];

interface Reported {
  snapshots: number;
  updates: number;
  trades: number;
  levels: number;
  crossed: number;
}

async function notedOf(recording: Recording): Promise<Reported> {
  const noted: Reported = { snapshots: 0, updates: 0, trades: 0, levels: 0, crossed: 0 };
  const books = recording.instruments.all.map(({ id }) => new Book(id));
  for await (const batch of recording.events()) for (const event of batch) tell(event, books, noted);
  return noted;
}

function tell(event: Event, books: readonly Book[], noted: Reported): void {
  if (event.kind === 'trades') noted.trades += event.trades.length;
  if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') return;
  if (event.kind === 'bookSnapshot') noted.snapshots += 1;
  else noted.updates += 1;
  noted.levels += (event.end - event.start) / levelStride;
  const book = books[event.instrument];
  if (book?.apply(event) === true && book.crossed) noted.crossed += 1;
}

function caseOf({ files, findings, ...counts }: Described): ConformanceCase {
  return {
    name: `books: counts and anomalies of ${files.join(' + ')}`,
    needs: files,
    run: async () => {
      const recording = await openRecorded(files);
      const noted = await notedOf(recording);
      for (const [what, expected] of Object.entries(counts)) {
        checkEqual(`${files[0]}, ${what}`, noted[what as keyof Reported], expected);
      }
      if (findings?.length === 0) checkEqual(`${files[0]}, findings`, recording.findings, []);
      for (const finding of findings ?? []) {
        if (recording.findings.includes(finding)) continue;
        throw new Error(`${files[0]}: expected "${finding}", found ${JSON.stringify(recording.findings)}`);
      }
    },
  };
}

export const cases: readonly ConformanceCase[] = described.map(caseOf);
