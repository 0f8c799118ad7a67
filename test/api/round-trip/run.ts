import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commonError } from './common-errors.ts';
import { holdAnswers } from './described.ts';
import { codesOf } from './documented.ts';
import type { RowCase } from './row-case.ts';
import { Talk } from './talk.ts';

/** Tests every case of a table against one exchange: its success, and each error that the documents name for its row. */
export function testRows(title: string, cases: readonly RowCase[]): void {
  describe(`${title}: each row answers the typed client, and refuses what the documents say`, () => {
    let talk: Talk;
    let held: ReturnType<typeof holdAnswers>;
    beforeAll(async () => {
      held = holdAnswers();
      talk = await Talk.start();
    });
    afterAll(async () => {
      held.end();
      await talk.close();
    });

    test.each(cases.map((one) => [one.row, one] as const))('%s', async (_row, one) => {
      await one.before?.(talk);
      const value = await one.call(talk.us, talk);
      await one.check(value as never, talk);
      expect(held.faults.splice(0), 'expected answers that fit the documents').toEqual([]);
      for (const code of codesOf(one.row)) {
        const refused = one.errors[code] ?? commonError(one, code);
        if (refused === undefined) expect.fail(`${one.row} has no case for the documented error ${code}`);
        expect(await refused(talk), `${one.row}, error ${code}`).toBe(code);
      }
    });
  });
}
