import type { Amount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { Random } from '../../core/base/random.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import { Book } from '../../core/book/book.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { Event, MarketEvent } from '../../core/model/event.ts';
import type { InstrumentId, InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import type { MissingSpan, Drift } from '../../research/checks/drift.ts';
import type { DriftFill, DriftMarks } from '../../research/checks/drift-fills.ts';
import { isPackable } from '../../data/pack/block.ts';
import { openShadowEngine } from '../../sim/fill-models/fifo/shadow-engine.ts';
import type { Latency } from '../../sim/latency.ts';
import { SimVenue } from '../../sim/venue.ts';
import type { RunResult } from '../run/drive.ts';
import { openRun } from '../run/drive.ts';
import type { DriftSession } from './drift-session.ts';
import type { MarginDriftRow, RunMargin } from './drift-margin.ts';
import { compareMargin, marginOf } from './drift-margin.ts';
import { marginSetupFor } from '../run/margin-setup.ts';
import { openingBalances } from '../run/opening-balances.ts';
import type { Tree } from '../../core/config/layers.ts';
import { attributeDrift } from '../../research/checks/drift.ts';
import { readSession } from './drift-session.ts';

/** A session as a backtest, and what of it is substituted. */
export interface DriftRun {
  readonly config: Config;
  readonly session: DriftSession;
  /** The recorded market. */
  readonly market: readonly MarketEvent[];
  readonly specs: readonly InstrumentSpec[];
  /** Instead of the configured latency. */
  readonly latency?: Latency | undefined;
}

const forever = Number.MAX_SAFE_INTEGER;

/** The recorded market up to the end of a session: its events, and the times without any. */
export interface SessionMarket {
  readonly events: readonly MarketEvent[];
  /** Gaps, and what is missing where a recording was cut. */
  readonly missing: readonly MissingSpan[];
  readonly gaps: number;
  readonly marks: DriftMarks;
}

/** Reads the market of a session: events, gaps, and the prices at the end that both sides are valued at. */
export async function readMarket(
  recording: Recording,
  { end, cutAt }: Pick<DriftSession, 'end' | 'cutAt'>,
): Promise<SessionMarket> {
  const events: MarketEvent[] = [];
  const missing: MissingSpan[] = [];
  const marks = new Map<InstrumentId, number>();
  const books = recording.instruments.all.map(({ id }) => new Book(id));
  const gaps = new Map<InstrumentId, number>();
  for await (const batch of recording.events()) {
    for (const event of batch) {
      if (event.receiveTime > end || !isPackable(event)) continue;
      events.push(event);
      const book = books[event.instrument];
      if (event.kind === 'trades') {
        const last = event.trades.at(-1);
        if (last !== undefined) marks.set(event.instrument, last.price * 2);
      }
      if (book === undefined || !isBook(event)) continue;
      book.apply(event);
      const from = gaps.get(event.instrument);
      if (book.status === 'stale' && from === undefined) gaps.set(event.instrument, event.receiveTime);
      if (book.status !== 'live' || from === undefined) continue;
      gaps.delete(event.instrument);
      missing.push({ instrument: event.instrument, from, to: event.receiveTime });
    }
  }
  for (const [instrument, from] of gaps) missing.push({ instrument, from, to: forever });
  const gapCount = missing.length;
  if (cutAt !== undefined)
    for (const { id } of recording.instruments.all)
      missing.push({ instrument: id, from: cutAt, to: forever });
  for (const book of books) {
    const { bestBid, bestAsk } = book;
    if (book.status === 'live' && bestBid !== undefined && bestAsk !== undefined)
      marks.set(book.instrument, bestBid + bestAsk);
  }
  return { events, missing, gaps: gapCount, marks };
}

/** What a backtest of a session did. */
export interface SimulatedSession {
  readonly fills: readonly DriftFill[];
  readonly margin: readonly RunMargin[];
}

/** Runs the strategies of a session on its market, in the simulated venue, from what its wallets held. */
export async function simulateSession(setting: DriftRun): Promise<SimulatedSession> {
  const { config, session, market, latency } = setting;
  const instruments = new Instruments(setting.specs);
  const start = (market[0]?.exchangeTime ?? session.begin) as number;
  const clock = new VirtualClock(Math.min(start, session.begin) as Micros);
  const fills: DriftFill[] = [];
  let margin: readonly RunMargin[] = [];
  const run = await openRun<MarketEvent, SimVenue, RunResult>({
    config,
    instruments,
    clock,
    source: [{ events: market }],
    openVenue: (loaded) =>
      new SimVenue({
        openEngine: openShadowEngine,
        clock,
        instruments,
        options: config.sim,
        random: new Random(config.run.seed).fork('sim'),
        balances:
          session.balances.length > 0
            ? session.balances
            : openingBalances(config.backtest.balances, instruments, loaded),
        margin: marginSetupFor(
          config,
          instruments,
          loaded,
          session.futures.length > 0 ? { futures: session.futures, accounts: [] } : undefined,
        ),
        ...(latency === undefined ? {} : { latency }),
      }),
    watch: (event) => noteFill(event, fills),
    market: ({ trader, venue }) => ({
      begin: () => trader.start('backtest'),
      accept: (event) => {
        if (event.exchangeTime > session.end) return false;
        clock.advanceTo((event.exchangeTime - 1) as Micros);
        venue.accept(event);
        return true;
      },
      end: (damage) => {
        if (damage !== undefined) throw damage;
        clock.advanceTo(Math.max(session.end, clock.now()) as Micros);
        return undefined;
      },
    }),
    ending: 'the session ended',
    result: ({ problems, trader }) => {
      margin = marginOf(trader.view.positions());
      return { complete: problems.length === 0, problems };
    },
  });
  await run.drive();
  await run.finish();
  return { fills, margin };
}

/** The specs with the fee rates that a session was charged: to a millionth, what is finer was rounding. */
export function chargedSpecs(
  instruments: Instruments,
  fills: readonly DriftFill[],
): readonly InstrumentSpec[] {
  return instruments.all.map((instrument) => {
    const own = fills.filter((fill) => fill.instrument === instrument.id);
    const rate = (taker: boolean, otherwise: string): string => {
      const these = own.filter((fill) => fill.taker === taker);
      const inBase = instrument.spec.feeCurrency === instrument.spec.baseCurrency;
      const fees = these.reduce((sum, { fee }) => sum + fee, 0n);
      const volume = these.reduce(
        (sum, { price, quantity }) =>
          sum + (inBase ? instrument.quantityAmount(quantity) : instrument.notional(price, quantity)),
        0n,
      );
      return volume === 0n ? otherwise : millionths(fees as Amount, volume as Amount);
    };
    const { makeRate, takeRate } = instrument.spec;
    return { ...instrument.spec, makeRate: rate(false, makeRate), takeRate: rate(true, takeRate) };
  });
}

/** A ratio as a decimal of six digits, rounded to the nearest. */
function millionths(part: Amount, whole: Amount): string {
  const twice = (part * 2_000_000n) / whole;
  const units = twice < 0n ? (twice - 1n) / 2n : (twice + 1n) / 2n;
  const digits = (units < 0n ? -units : units).toString().padStart(7, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

function noteFill(event: Event, fills: DriftFill[]): void {
  if (event.kind !== 'orderReport' || event.fill === undefined) return;
  const { price, quantity, fee, taker, time } = event.fill;
  const { instrument, side } = event.order;
  fills.push({ instrument, side, price, quantity, fee, taker, time });
}

function isBook(event: MarketEvent): event is Extract<MarketEvent, { kind: `book${string}` }> {
  return event.kind === 'bookSnapshot' || event.kind === 'bookUpdate' || event.kind === 'bookStale';
}

export interface DriftSetting {
  readonly recording: Recording;
  /** The run directory, with the journal. */
  readonly journal: string;
  readonly asRecorded: (recorded: Tree) => Config;
  /** The configuration of the backtest: that of the session, or with changes. */
  readonly configure: (recorded: Tree) => Config;
  /** Only fills of so long before the end are compared; the backtest begins with the session all the same. */
  readonly last?: Micros | undefined;
}

/** What a session and its backtest come to. */
export interface SessionDrift extends Drift {
  readonly session: DriftSession;
  readonly fills: { readonly live: number; readonly configured: number; readonly substituted: number };
  /** The margin accounts of the session beside those of the backtest with its latencies and fees. */
  readonly margin: readonly MarginDriftRow[];
  /** How many times the recorded market could not be believed. */
  readonly gaps: number;
}

/** Replays a session as a backtest three times, each closer to it, and attributes what differs. */
export async function driftOf(setting: DriftSetting): Promise<SessionDrift> {
  const { recording, journal } = setting;
  const { instruments } = recording;
  const session = await readSession({ recording, journal, asRecorded: setting.asRecorded });
  const market = await readMarket(recording, session);
  const config = setting.configure(session.configuration);
  const run = { config, session, market: market.events };
  const configured = await simulateSession({ ...run, specs: instruments.all.map(({ spec }) => spec) });
  const specs = chargedSpecs(instruments, session.fills);
  const charged = await simulateSession({ ...run, specs });
  const timed = await simulateSession({ ...run, specs, latency: session.latency.latency() });
  const { departed } = session;
  const from = setting.last === undefined ? 0 : session.end - setting.last;
  const compared = (fills: readonly DriftFill[]): readonly DriftFill[] =>
    fills.filter(({ time }) => time >= from);
  const live = compared(session.fills);
  const isExplained = departed === undefined || market.missing.some(({ from }) => from <= departed);
  const drift = attributeDrift({
    instruments,
    marks: market.marks,
    live,
    configured: compared(configured.fills),
    charged: compared(charged.fills),
    timed: compared(timed.fills),
    missing: market.missing,
    departed: isExplained ? undefined : departed,
  });
  const fills = {
    live: live.length,
    configured: compared(configured.fills).length,
    substituted: compared(timed.fills).length,
  };
  return { ...drift, session, fills, margin: compareMargin(session.margin, timed.margin), gaps: market.gaps };
}
