import { describe, expect, test } from 'vitest';
import { errorTable } from '../../../src/venues/hitbtc/wire/errors.ts';
import { documentRows, nameOf } from '../rows.ts';
import { accountV2 } from './account-v2.ts';
import { accountsV3 } from './accounts-v3.ts';
import { commonError } from './common-errors.ts';
import { codesOf, documentedErrors } from './documented.ts';
import { marginV2 } from './margin-v2.ts';
import { futuresV3, marginV3 } from './margin-v3.ts';
import { peopleV2 } from './people-v2.ts';
import { publicV2 } from './public-v2.ts';
import { publicV3 } from './public-v3.ts';
import { publicSocketV3, walletSocketV3 } from './sockets-public-v3.ts';
import { futuresSocketV3, marginSocketV3, spotSocketV3 } from './sockets-trading-v3.ts';
import { accountSocketV2, publicSocketV2, tradingSocketV2 } from './sockets-v2.ts';
import { spotV3 } from './spot-v3.ts';
import { tradingV2 } from './trading-v2.ts';
import { walletV3 } from './wallet-v3.ts';

const cases = [
  ...[publicV3, spotV3, marginV3, futuresV3, walletV3, accountsV3].flat(),
  ...[publicSocketV3, spotSocketV3, marginSocketV3, futuresSocketV3, walletSocketV3].flat(),
  ...[publicV2, tradingV2, marginV2, accountV2, peopleV2].flat(),
  ...[publicSocketV2, tradingSocketV2, accountSocketV2].flat(),
];
const rows = new Set(documentRows.map(nameOf));

/** Codes that sources name without saying when they come, or that no request of a client brings about. */
const withoutCondition = [800, 1005, 10_022, 20_012, 20_016, 20_031, 20_041, 20_042, 20_043, 20_044, 20_047];
/** Of sub-accounts' rights, and of locations that are none: documented for no row. */
const ofNoRow = [403];

describe('the suite', () => {
  test('has a success of every row of the documents, once, and of nothing else', () => {
    const names = cases.map(({ row }) => row);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect([...rows].filter((row) => !names.includes(row))).toEqual([]);
    expect(names.filter((name) => !rows.has(name))).toEqual([]);
  });

  test('has a case for every error that the documents name for a row', () => {
    const missing = cases.flatMap((one) =>
      codesOf(one.row)
        .filter((code) => one.errors[code] === undefined && commonError(one, code) === undefined)
        .map((code) => `${one.row} ${code}`),
    );
    expect(missing).toEqual([]);
  });

  test('knows where each documented error is documented, and for which rows', () => {
    for (const { code, source, rows: named } of documentedErrors) {
      expect(source, String(code)).not.toBe('');
      expect(named.filter((row) => !rows.has(row))).toEqual([]);
    }
  });

  test('brings about every code of the error table, but those without a condition', () => {
    const received = new Set(documentedErrors.map(({ code }) => code));
    const silent = errorTable.map(({ code }) => code).filter((code) => !received.has(code));
    expect(silent).toEqual([...ofNoRow, ...withoutCondition].toSorted((a, b) => a - b));
  });
});
