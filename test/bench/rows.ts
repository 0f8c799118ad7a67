import type { Goal, Row, Variant } from './support/row.ts';

function frames(levels: number, ladder: 'sorted' | 'ring', goal: Goal): Row {
  return {
    name: `frames-${levels}-${ladder}`,
    work: `v3 book frame of ${levels} levels (depth 1,000) to best bid and ask in a strategy, ${ladder} book`,
    unit: 'ns of a core a frame',
    better: 'smaller',
    ours: { name: 'godwit', file: 'frames-ours.ts', args: [String(levels), ladder] },
    peer: { name: 'ccxt.pro 4.5.84', file: 'frames-ccxt.ts', args: [String(levels)], needs: 'ccxt' },
    goal,
  };
}

function socket(levels: number): Row {
  return {
    name: `socket-${levels}`,
    work: `book frames of ${levels} levels over a loopback socket into the book`,
    unit: 'frames a core second',
    better: 'greater',
    ours: { name: 'godwit', file: 'socket-ours.ts', args: [String(levels), 'ring'] },
    peer: { name: 'ccxt.pro 4.5.84', file: 'socket-ccxt.ts', args: [String(levels)], needs: 'ccxt' },
    goal: { kind: 'ratio', least: 12 },
  };
}

function corridor(source: 'resident' | 'pack', strategy: string, packs: readonly string[]): Row {
  const naive: Variant = { name: 'rx Subject and decimal.js', file: 'corridor-naive.ts', args: packs };
  const from = source === 'resident' ? 'events in memory' : 'from the compressed pack';
  return {
    name: `corridor-${source}-${strategy}`,
    work: `whole corridor, ${strategy}, ${from}`,
    unit: 'M level changes a core second',
    better: 'greater',
    ours: { name: 'godwit', file: 'corridor-ours.ts', args: [source, strategy, ...packs] },
    peer: naive,
    goal: { kind: 'least', value: 4 },
  };
}

/** All rows of the table. `packs`: the recorded ticks. */
export function rowsOn(packs: readonly string[]): readonly Row[] {
  return [
    ...[2, 4, 20].flatMap((levels) => [
      frames(levels, 'ring', { kind: 'ratio', least: 12 }),
      frames(levels, 'sorted', { kind: 'none' }),
    ]),
    socket(4),
    socket(20),
    corridor('resident', 'touch-maker', packs),
    corridor('resident', 'market-maker', packs),
    corridor('pack', 'touch-maker', packs),
    corridor('pack', 'market-maker', packs),
    {
      name: 'matching',
      work: 'matching with ids, funds, fees, reports and balances',
      unit: 'M operations a core second',
      better: 'greater',
      ours: { name: 'godwit', file: 'matching-ours.ts' },
      peer: { name: 'nodejs-order-book 10.1.1', file: 'matching-peer.ts', needs: 'nodejs-order-book' },
      goal: { kind: 'ratio', least: 10 },
    },
    {
      name: 'reaction',
      work: 'packet in to order handed to the socket, 2,000 frames/s: our own code, p50',
      unit: 'us',
      better: 'smaller',
      ours: { name: 'godwit', file: 'reaction.ts' },
      goal: { kind: 'most', value: 6 },
    },
    {
      name: 'reaction-whole',
      work: 'the same with socket reads and writes, p50',
      unit: 'us',
      better: 'smaller',
      ours: { name: 'godwit', file: 'reaction.ts' },
      figure: 'wholeP50',
      goal: { kind: 'most', value: 40 },
    },
    {
      name: 'http-orders',
      work: 'signed orders by HTTP, 16 in flight',
      unit: 'orders/s',
      better: 'greater',
      ours: { name: 'godwit', file: 'http-ours.ts' },
      peer: { name: 'global fetch', file: 'http-fetch.ts' },
      goal: { kind: 'ratio', least: 4 },
    },
    {
      name: 'exchange-orders',
      work: 'orders over the embedded exchange’s socket, 64 in flight, answered and reported',
      unit: 'orders/s',
      better: 'greater',
      ours: { name: 'godwit', file: 'exchange-orders.ts' },
      goal: { kind: 'least', value: 30_000 },
    },
  ];
}
