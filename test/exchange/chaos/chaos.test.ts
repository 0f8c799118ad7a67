import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AskedTrouble } from '../../../src/exchange/chaos/index.ts';
import { Chaos, troubleNames } from '../../../src/exchange/chaos/index.ts';
import type { Bench } from '../support/raw-client.ts';
import { openBench, rest } from '../support/raw-client.ts';

interface Line {
  readonly atMs: number;
  readonly trouble: string;
  readonly number: number;
  readonly forMs?: number;
  readonly message: string;
}

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
});
afterEach(() => bench.close());

/** Lets troubles come and go for so long; what the log says of it. */
function linesOf(
  asked: readonly AskedTrouble[],
  ms: number,
): { readonly chaos: Chaos; readonly lines: Line[] } {
  const lines: Line[] = [];
  const { clock } = bench;
  const begun = clock.now();
  const warn = (fields: object, message: string): void =>
    void lines.push({ ...(fields as Line), atMs: (clock.now() - begun) / 1_000, message });
  const log = { debug() {}, info() {}, warn, error() {} };
  const chaos = new Chaos({ exchange: bench.server.troubled, clock, log });
  for (const one of asked) chaos.start(one);
  bench.pass(ms);
  return { chaos, lines };
}

test('every trouble begins and ends again and again, and both are logged', () => {
  const { chaos, lines } = linesOf(
    troubleNames.map((name) => ({ name, seed: 7 })),
    600_000,
  );
  for (const name of troubleNames) {
    const own = lines.filter(({ trouble }) => trouble === name);
    expect(own.length, name).toBeGreaterThan(4);
    for (const [at, line] of own.entries()) {
      const isBeginning = at % 2 === 0;
      expect(line.message.startsWith(isBeginning ? 'trouble begins: ' : 'trouble ends')).toBe(true);
      expect(line.number).toBe(Math.floor(at / 2) + 1);
      if (!isBeginning) expect(line.atMs - (own[at - 1]?.atMs ?? 0)).toBe(own[at - 1]?.forMs);
    }
  }
  chaos.stop();
});

test('moments are those of name and seed, whatever else was asked for', () => {
  const alone = linesOf([{ name: 'gap', seed: 3 }], 300_000);
  alone.chaos.stop();
  const beside = linesOf(
    [
      { name: 'late-replies', seed: 3 },
      { name: 'gap', seed: 3 },
    ],
    300_000,
  );
  beside.chaos.stop();
  const other = linesOf([{ name: 'gap', seed: 4 }], 300_000);
  const momentsOf = (lines: readonly Line[]) =>
    lines.filter(({ trouble }) => trouble === 'gap').map(({ atMs }) => atMs);
  expect(momentsOf(alone.lines).length).toBeGreaterThan(4);
  expect(momentsOf(beside.lines)).toEqual(momentsOf(alone.lines));
  expect(momentsOf(other.lines)).not.toEqual(momentsOf(alone.lines));
});

test('an end of it ends what is under way, and nothing begins any more', async () => {
  const { chaos, lines } = linesOf([{ name: 'restart', seed: 1 }], 0);
  while (lines.length === 0) bench.pass(100);
  expect((await rest(bench, 'GET /api/3/public/symbol')).status).toBe(503);
  chaos.stop();
  expect((await rest(bench, 'GET /api/3/public/symbol')).status).toBe(200);
  expect(lines.map(({ message }) => message)).toEqual([expect.stringContaining('begins'), 'trouble ends']);
  bench.pass(300_000);
  expect(lines).toHaveLength(2);
});
