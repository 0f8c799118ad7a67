import { readFile } from 'node:fs/promises';
import type { ChecksumRule, PrintedLevel } from '../../../src/data/formats/checksums.ts';
import { krakenChecksum, okxChecksum } from '../../../src/data/formats/checksums.ts';
import type { ConformanceCase } from '../case.ts';
import { checkEqual, countsOf, data, openRecorded } from '../recorded.ts';

const proofs: readonly (readonly [file: string, checksums: number])[] = [
  ['kraken-v1-20210417.txt.gz', 4_269],
  ['okx-v5-20220513.txt.gz', 290],
  ['okex-v5-20210722.txt.gz', 1_504],
  ['ftx-20210722.txt.gz', 971],
  ['ftx-tr-20220429.txt.gz', 2_811],
  ['bitget-20220407.spot.txt.gz', 443],
  ['bitget-20220407.futures.txt.gz', 194],
];

function proofCases(): readonly ConformanceCase[] {
  return proofs.map(([file, checksums]) => ({
    name: `books: every checksum of ${file}`,
    needs: [`books-checksum/${file}`],
    run: async () => {
      const recording = await openRecorded([`books-checksum/${file}`]);
      await countsOf(recording);
      checkEqual('checksums', recording.proof, { checked: checksums, correct: checksums });
    },
  }));
}

const vectorsFile = 'conformance/book_checksum_vectors.json';

interface Vector {
  readonly format: 'KRAKEN' | 'OKX' | 'OKCOIN' | 'BITFINEX';
  readonly bids: readonly PrintedLevel[];
  readonly asks: readonly PrintedLevel[];
  readonly crc32_unsigned: number;
}

/** As OKX, with sizes of asks negative. Source: Bitfinex v2, "Checksum". */
const bitfinexChecksum: ChecksumRule = {
  levels: 25,
  sum: (bids, asks) =>
    okxChecksum.sum(
      bids,
      asks.map(([price, size]): PrintedLevel => [price, `-${size}`]),
    ),
};

const rules: Readonly<Record<Vector['format'], ChecksumRule>> = {
  KRAKEN: krakenChecksum,
  OKX: okxChecksum,
  OKCOIN: okxChecksum,
  BITFINEX: bitfinexChecksum,
};

const vectors: ConformanceCase = {
  name: 'books: stand-alone checksum vectors',
  needs: [vectorsFile],
  run: async () => {
    const { vectors: all } = JSON.parse(await readFile(data + vectorsFile, 'utf8')) as {
      vectors: readonly Vector[];
    };
    if (all.length < 9) throw new Error(`${vectorsFile}: expected nine vectors, found ${all.length}`);
    for (const [index, { format, bids, asks, crc32_unsigned: expected }] of all.entries()) {
      checkEqual(`vector ${index} of ${format}`, rules[format].sum(bids, asks), expected);
    }
  },
};

export const cases: readonly ConformanceCase[] = [...proofCases(), vectors];
