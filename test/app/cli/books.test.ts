import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { run } from './support/run.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const file = 'fmfw-v3-20211009.partA.txt.gz';
const expected = `${shared}conformance/book_end_states.json`;
const present = existsSync(`${shared}hitbtc/${file}`) && existsSync(expected);
if (!present) process.stderr.write('the shared recordings are absent: data books is compared with nothing\n');

type States = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

describe('data books', () => {
  test.skipIf(!present)('ends a recorded feed in the books an independent reader found', async () => {
    const said = await run(['data', 'books', `${shared}hitbtc/${file}`, '--json']);
    expect(said.code).toBe(0);
    const { hitbtc } = JSON.parse(readFileSync(expected, 'utf8')) as { hitbtc: Record<string, States> };
    expect(JSON.parse(said.out)).toEqual(hitbtc[file]);
  });

  test.skipIf(!present)('shows people the same in columns', async () => {
    const said = await run(['data', 'books', `${shared}hitbtc/${file}`]);
    const lines = said.out.split('\n');
    expect(lines).toHaveLength(6);
    for (const line of lines)
      expect(line).toMatch(/^[A-Z]+ +sequence \d+ +bids \d+ +asks \d+ .* [0-9a-f]{64}$/);
  });
});
