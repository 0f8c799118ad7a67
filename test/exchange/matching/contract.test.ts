import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import type { Lots } from '../../../src/core/model/instrument.ts';
import { contingencyTypes } from '../../../src/core/model/order-list.ts';
import type { ExchangeCommand } from '../../../src/exchange/matching/accounts/command.ts';
import type { PlayParts } from '../../support/play-both.ts';
import { playBoth } from '../../support/play-both.ts';

const commandsPerRun = 100_000;

/** What came of random commands that both exchanges answered alike. */
function kindsOf(parts: Omit<PlayParts, 'seed'>): ReadonlyMap<string, number> {
  const seed = process.env['GODWIT_TEST_SEED'] ?? String(process.pid);
  process.stderr.write(`contract suite: GODWIT_TEST_SEED=${seed}\n`);
  const { kinds, difference } = playBoth({ ...parts, seed });
  expect(difference?.fast, difference?.at).toBe(difference?.naive);
  process.stderr.write(`contract suite: ${[...kinds].map(([kind, n]) => `${kind} ${n}`).join(', ')}\n`);
  return kinds;
}

/** The same command with so many times the quantity and the money: beyond what is counted in doubles. */
function enlarged(command: ExchangeCommand): ExchangeCommand | undefined {
  const factor = 150_000_000;
  switch (command.kind) {
    case 'place': {
      const { request } = command;
      return { ...command, request: { ...request, quantity: (request.quantity * factor) as Lots } };
    }
    case 'replace':
      return { ...command, quantity: (command.quantity * factor) as Lots };
    case 'adjustBalance':
      return { ...command, change: (command.change * BigInt(factor)) as Amount };
    default:
      return withoutLists(command);
  }
}

function withoutLists(command: ExchangeCommand): ExchangeCommand | undefined {
  return command.kind === 'placeList' ? undefined : command;
}

// A stream that exercises nothing would prove nothing.
const events = ['new', 'trade', 'canceled', 'expired', 'suspended', 'replaced', 'refused', 'level'];

describe('the fast and the naive exchange', () => {
  test(`agree on the outcomes of ${commandsPerRun} random commands and on every state between`, () => {
    const kinds = kindsOf({ count: commandsPerRun });
    for (const kind of events) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(500);
    for (const contingency of contingencyTypes) {
      for (const kind of ['new', 'trade', 'expired'])
        expect(kinds.get(`${contingency} ${kind}`) ?? 0, `${contingency} ${kind}`).toBeGreaterThan(50);
    }
  });

  test('agree where no order depends on another, so that most go the short way', () => {
    const kinds = kindsOf({ count: 25_000, options: { fatFingerFraction: undefined }, change: withoutLists });
    for (const kind of events) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(200);
  });

  test('agree where quantities and money are too large for doubles', () => {
    const kinds = kindsOf({ count: 25_000, change: enlarged });
    for (const kind of events) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(200);
  });
});
