import { fileURLToPath } from 'node:url';
import { imports, recorded } from './support/import-rows.ts';
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
    goal: { kind: 'least', value: source === 'resident' ? 10 : 7 },
    ...(source === 'pack' && { cold: { ours: backtestOf(strategy, packs.slice(0, 1)) } }),
  };
}

/** The whole command, with the settings it has by itself. */
function backtestOf(strategy: string, packs: readonly string[]): Variant {
  const named = strategy === 'market-maker' ? strategy : toPath(`strategies/${strategy}.ts`);
  const args = ['--strategy', named, '--param', 'symbol=BTCUSDT', '--no-save', '--no-band'];
  return whole(['backtest', ...packs, ...args], packs);
}

function whole(args: readonly string[], files: readonly string[] = []): Variant {
  return { name: 'godwit', file: 'command-cold.ts', args: ['godwit', ...args], files };
}

function toPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The same market as contracts on cross margin, against our own run of it as spot. */
function perpetual(packs: readonly string[]): Row {
  const run = (name: string, source: string): Variant => ({
    name,
    file: 'corridor-ours.ts',
    args: [source, 'touch-maker', ...packs],
  });
  return {
    name: 'corridor-perpetual',
    work: 'whole corridor, touch-maker, contracts on cross margin, against the same as spot',
    unit: 'M level changes a core second',
    better: 'greater',
    ours: run('godwit', 'perpetual'),
    peer: run('godwit, spot', 'resident'),
    goal: { kind: 'ratio', least: 0.9 },
  };
}

/**
 * The same work without a framework, compiled from C++, market digest included as in the corridor; and against one that
 * keeps no digest either. Timed is the way from the first event to the last, on both sides.
 */
function kernels(packs: readonly string[]): readonly Row[] {
  const ours: Variant = {
    name: 'godwit',
    file: 'corridor-ours.ts',
    args: ['driven', 'touch-maker', ...packs],
  };
  const row = (name: string, work: string, flags: readonly string[], goal: Goal): Row => ({
    name,
    work,
    unit: 'M level changes a core second',
    better: 'greater',
    ours,
    peer: { name: 'C++, g++ -O3', file: 'kernel-peer.ts', args: [...flags, ...packs], program: 'g++' },
    goal,
  });
  const parts = 'two books, latency, queue, fills, fees';
  return [
    row(
      'corridor-kernel',
      `corridor, touch-maker, first event to last, against a plain C++ kernel: ${parts}, market digest`,
      ['--digest'],
      { kind: 'ratio', least: 0.4 },
    ),
    row('corridor-kernel-bare', 'the same against the kernel without the digest', [], { kind: 'none' }),
  ];
}

function seconds(): Row {
  const files = ['binance-raw/usdm_btcusdt_20240718.gz', 'binance-raw/usdm_btcusdt_20240719.gz'].map(
    recorded,
  );
  return {
    name: 'corridor-hftbacktest',
    work: 'whole corridor, one look a second, events in memory: BTCUSDT, eight minutes of July 2024',
    unit: 'M level changes a core second',
    better: 'greater',
    ours: { name: 'godwit', file: 'seconds-ours.ts', args: files, files },
    peer: {
      name: 'hftbacktest 2.4.4',
      file: 'hftbacktest-peer.ts',
      args: files,
      files,
      python: 'hftbacktest',
    },
    goal: { kind: 'ratio', least: 2 },
  };
}

/** All but grademark take bar after bar through an engine with orders; it only compares finished columns. */
const barPeers: readonly Variant[] = [
  {
    name: 'NautilusTrader 1.231.0',
    file: 'python-peer.ts',
    args: ['bars_nautilus.py'],
    python: 'nautilus_trader',
  },
  { name: 'nautilus-backtest 0.57.0', file: 'rust-peer.ts', isBuilt: true },
  {
    name: 'backtesting.py 0.6.6',
    file: 'python-peer.ts',
    args: ['bars_backtesting.py'],
    python: 'backtesting',
  },
  { name: 'raptorbt 0.13.4', file: 'python-peer.ts', args: ['bars_raptorbt.py'], python: 'raptorbt' },
  { name: 'backtrader 1.9.78', file: 'python-peer.ts', args: ['bars_backtrader.py'], python: 'backtrader' },
  { name: 'grademark 0.3.0', file: 'bars-grademark.ts', needs: 'grademark' },
];
/** Those whose engine is compiled are there to be known. */
const outpaced = new Set(['nautilus_trader', 'backtesting', 'backtrader']);

function bars(): readonly Row[] {
  const path = recorded('bars/nautilus_btc-perp-20211231-20220201_1m.csv.gz');
  return barPeers.map((peer) => ({
    name: `bars-${peer.name.split(/[ .]/, 1)[0]?.toLowerCase() ?? ''}`,
    work: `EMA cross 10/20 on 45,031 one-minute bars, against ${barWork(peer)}`,
    unit: 'bars a core second',
    better: 'greater',
    ours: { name: 'godwit', file: 'bars-ours.ts', args: [path], files: [path] },
    peer: { ...peer, args: [...(peer.args ?? []), path], files: [path] },
    goal: outpaced.has(peer.python ?? '') ? { kind: 'ratio', least: 20 } : { kind: 'none' },
    cold: {
      ours: whole(['backtest', '--scenario', toPath('support/ema-cross.yaml'), '--no-save'], [path]),
      ...(peer.needs === undefined && {
        peer: { ...peer, file: 'command-cold.ts', args: [...wholeOf(peer), path, '1'], files: [path] },
      }),
    },
  }));
}

/** The program of a peer and its script, for `command-cold.ts`. */
function wholeOf({ isBuilt = false, args = [] }: Variant): readonly string[] {
  return isBuilt ? ['rust'] : ['python', toPath(`peers/${args[0] ?? ''}`)];
}

/** What a peer does of the work, in a few words. */
function barWork({ python, needs }: Variant): string {
  if (needs === 'grademark') return 'a comparison of finished columns';
  return python === 'backtesting' ? 'an event loop over finished averages' : 'an event-driven engine';
}

/** The same code in both hosts, the default first: with the loop asleep between frames, and with `client.socket.stayAwake`; and what is not ours. */
function reactions(): readonly Row[] {
  const pace = 'packet in to order handed to the socket, 2,000 frames/s';
  const common = { unit: 'us', better: 'smaller' } as const;
  const worker = { name: 'godwit', file: 'reaction.ts' };
  const thread = { name: 'godwit, host: thread', file: 'reaction.ts', args: ['thread'] };
  const awake = { name: 'godwit', file: 'reaction.ts', args: ['thread', 'awake'] };
  const floor = { name: 'godwit', file: 'reaction-floor.ts' };
  const own: Goal = { kind: 'most', value: 6 };
  const whole: Goal = { kind: 'most', value: 40 };
  const none: Goal = { kind: 'none' };
  /** The default host against the thread: so many times of it at most. */
  const besideThread = (
    figure: string,
    times: number,
  ): Pick<Row, 'ours' | 'figure' | 'peer' | 'peerFigure' | 'goal'> => ({
    ours: worker,
    figure,
    peer: thread,
    peerFigure: figure,
    goal: { kind: 'ratio', least: 1 / times },
  });
  const inThread = `${pace}, strategy in the thread (host: thread)`;
  const inWorker = `${pace}, strategy in a worker (host: worker, the default)`;
  return [
    {
      ...common,
      name: 'reaction-worker',
      work: `${inWorker}: with socket reads and writes, p50`,
      ...besideThread('wholeP50', 1.3),
    },
    { ...common, name: 'reaction-worker-p99', work: 'the same, p99', ...besideThread('wholeP99', 2) },
    { ...common, name: 'reaction-worker-own', work: 'the same: our own code, p50', ours: worker, goal: none },
    { ...common, name: 'reaction', work: `${inThread}: our own code, p50`, ours: thread, goal: own },
    { ...common, name: 'reaction-awake', work: 'the same, stayAwake', ours: awake, goal: own },
    {
      ...common,
      name: 'reaction-floor',
      work: 'the same, a ready text for an answer',
      ours: floor,
      goal: none,
    },
    {
      ...common,
      name: 'reaction-whole',
      work: `${inThread}: with socket reads and writes, p50`,
      ours: thread,
      figure: 'wholeP50',
      goal: whole,
    },
    {
      ...common,
      name: 'reaction-whole-awake',
      work: 'the same, stayAwake',
      ours: awake,
      figure: 'wholeP50',
      goal: whole,
    },
    {
      ...common,
      name: 'reaction-whole-floor',
      work: 'the same, a ready text for an answer',
      ours: floor,
      figure: 'wholeP50',
      goal: none,
    },
  ];
}

/** Two threads on one shared pack of ten million events: two hundred sets, and in turns with them half as many on one thread. */
function sweep(packs: readonly string[]): readonly Row[] {
  const args = ['200', '10', ...packs.slice(0, 1)];
  const ours = { name: 'godwit', file: 'sweep-ours.ts', command: 'sweep', args, once: true };
  return [
    {
      name: 'sweep',
      work: 'sweep of 200 sets over a pack of 10 M level changes and trades, two threads',
      unit: 'M level changes a second',
      better: 'greater',
      ours,
      beside: { name: 'one thread', figure: 'oneThread' },
      goal: { kind: 'ratio', least: 1.85 },
      cold: {
        ours: whole(['sweep', toPath('support/touch-maker-sweep.yaml'), '--workers', '2', '--no-resume']),
      },
    },
    {
      name: 'sweep-memory',
      work: 'the same: memory above the program and the pack',
      unit: 'MiB a thread',
      better: 'smaller',
      ours,
      figure: 'mibOverPackPerWorker',
      goal: { kind: 'most', value: 60 },
    },
  ];
}

/** One engine twice: as far as the peer goes, and with all it does for the embedded exchange. */
function matching(): readonly Row[] {
  const common = { unit: 'M operations a core second', better: 'greater' } as const;
  return [
    {
      ...common,
      name: 'matching',
      work: 'matching with client ids and reports: no funds, public trades or levels on either side',
      ours: { name: 'godwit', file: 'matching-ours.ts' },
      peer: { name: 'nodejs-order-book 10.1.1', file: 'matching-peer.ts', needs: 'nodejs-order-book' },
      goal: { kind: 'ratio', least: 10 },
    },
    {
      ...common,
      name: 'matching-exchange',
      work: 'the same in the whole exchange core: with funds, fees, public trades, levels and balances',
      ours: { name: 'godwit', file: 'matching-ours.ts', args: ['exchange'] },
      goal: { kind: 'none' },
    },
  ];
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
    perpetual(packs),
    ...kernels(packs),
    seconds(),
    ...bars(),
    ...sweep(packs),
    ...imports(),
    ...matching(),
    ...reactions(),
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
