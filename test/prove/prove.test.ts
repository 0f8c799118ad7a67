import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FigureLine } from './figure-lines.ts';
import { figureLine, figureText } from './figure-lines.ts';
import { KeptFigures } from './kept-figures.ts';
import { measureRow } from './measure-row.ts';
import type { Figure, Row } from './row.ts';
import { rowsOf } from './rows-of.ts';
import { brokenOf, runRows } from './run-rows.ts';
import { RowState } from './state.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'godwit-prove-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const ignore = (): void => undefined;
const lost = (value: number): Figure => ({
  name: 'lost',
  value,
  unit: 'orders',
  limit: { atMost: 0 },
  seed: 7,
});

async function run(rows: readonly Row[], stopping = new AbortController()): Promise<readonly FigureLine[]> {
  const lines: FigureLine[] = [];
  const outcomes = await runRows({
    rows,
    directory,
    stopped: stopping.signal,
    measure: (row) =>
      measureRow({
        row,
        state: new RowState(directory, row.name),
        isShort: false,
        stopped: stopping.signal,
        tell: ignore,
      }),
    onOutcome: ({ row, figures }) => lines.push(...figures.map((one) => figureLine(row.name, 'abc', one))),
  });
  for (const why of brokenOf(outcomes, lines)) broken.push(why);
  return lines;
}
const broken: string[] = [];
beforeEach(() => {
  broken.length = 0;
});

describe('npm run prove', () => {
  test('a row that was stopped goes on after its last whole piece, and a finished one is not measured again', async () => {
    const measured: string[] = [];
    const stopping = new AbortController();
    const row: Row = {
      name: 'made-up',
      shows: 'pieces are kept',
      minutes: 1,
      async measure({ chunk }) {
        let value = 0;
        for (const piece of ['a', 'b', 'c']) {
          value += await chunk(piece, async () => {
            measured.push(piece);
            if (measured.length === 2) stopping.abort();
            return 1;
          });
        }
        return [{ name: 'pieces', value, unit: 'pieces', limit: { atLeast: 3 } }];
      },
    };
    expect(await run([row], stopping)).toEqual([]);
    expect(measured).toEqual(['a', 'b']);
    expect(await run([row])).toMatchObject([{ name: 'pieces', value: 3, ok: true }]);
    expect(await run([row])).toMatchObject([{ name: 'pieces', value: 3, ok: true }]);
    expect(measured).toEqual(['a', 'b', 'b', 'c']);
    expect(broken).toEqual([]);
  });

  test('limits that are broken, values that are no numbers and rows that throw are named', async () => {
    const made = (name: string, figures: readonly Figure[]): Row => ({
      name,
      shows: 'limits',
      minutes: 1,
      measure: async () => figures,
    });
    await run([
      made('good', [lost(0), { name: 'just shown', value: 9, unit: 'ms' }]),
      made('bad', [lost(2)]),
      made('odd', [{ name: 'hits', value: Number.NaN, unit: 'hits', limit: { atLeast: 10 } }]),
      made('empty', []),
    ]);
    expect(broken.toSorted()).toEqual([
      'bad: lost is 2 orders, the limit <= 0',
      'empty: the row empty has measured nothing',
      'odd: hits is NaN hits, the limit >= 10',
    ]);
  });

  test('two rows run at once, and one that wants the machine alone has it', async () => {
    let now = 0;
    const most = new Map<string, number>();
    const row = (name: string, isAlone: boolean): Row => ({
      name,
      shows: 'how many run at once',
      minutes: 1,
      isAlone,
      async measure() {
        now += 1;
        await new Promise((resolve) => setImmediate(resolve));
        most.set(name, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return [lost(0)];
      },
    });
    await run([row('a', false), row('timed', true), row('b', false), row('c', false)]);
    expect(Math.max(...most.values())).toBe(2);
    expect(most.get('timed')).toBe(1);
  });

  test('a figure is one line of text', () => {
    const line = figureLine('kill-loop', '0123456789ab', lost(0));
    expect(figureText(line).split(/\s{2,}/)).toEqual([
      'kill-loop',
      'lost',
      '0 orders',
      'limit <= 0',
      'seed 7',
      '0123456789ab ok',
    ]);
  });

  test('figures are kept row by row, and a run that measures nothing leaves the file as it was, or none', () => {
    const path = join(directory, 'figures.json');
    const kept = (): unknown => JSON.parse(readFileSync(path, 'utf8'));
    const line = figureLine('kill-loop', '0123456789ab', lost(0));
    const older = [figureLine('another', 'old', lost(0)), figureLine('kill-loop', 'old', lost(3))];
    new KeptFigures(path).keep([]);
    expect(existsSync(path)).toBe(false);
    const first = new KeptFigures(path);
    for (const one of older) first.keep([one]);
    const second = new KeptFigures(path);
    second.keep([]);
    expect(kept()).toEqual(older);
    second.keep([line]);
    expect(kept()).toEqual([older[0], line]);
    writeFileSync(path, '');
    expect(() => new KeptFigures(path)).toThrow(/figures\.json holds no list of figures; mend it/);
  });

  test('rows have names that can be asked for', async () => {
    for (const { name, shows } of await rowsOf()) {
      expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(shows).not.toBe('');
    }
  });
});
