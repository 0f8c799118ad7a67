import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Amount } from '../../core/base/amount.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { Random } from '../../core/base/random.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Event, MarketEvent } from '../../core/model/event.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import type { Drift, DriftFill } from '../../research/checks/index.ts';
import { openShadowEngine } from '../../sim/fill-models/fifo/shadow-engine.ts';
import type { Latency } from '../../sim/index.ts';
import { SimVenue } from '../../sim/index.ts';
import type { Batch, RunResult } from '../run/drive.ts';
import { openRun } from '../run/drive.ts';
import type { DriftSession, DriftWindow } from './drift-session.ts';
import type { MarginDriftRow, RunMargin } from './drift-margin.ts';
import { compareMargin, marginOf } from './drift-margin.ts';
import { marginSetupFor } from '../run/margin-setup.ts';
import { openingBalances } from '../run/opening-balances.ts';
import type { Tree } from '../../core/config/layers.ts';
import { attributeDrift } from '../../research/checks/index.ts';
import { withChangedParams } from '../live/index.ts';
import type { SessionMarket } from './drift-market.ts';
import { readMarket } from './drift-market.ts';
import { readSession } from './drift-session.ts';
import { receivedTracks } from '../run/series-files.ts';

/** A session as a backtest, and what of it is substituted. */
export interface DriftRun {
  readonly config: Config;
  readonly session: DriftSession;
  readonly market: Pick<SessionMarket, 'recording' | 'start'>;
  readonly specs: readonly InstrumentSpec[];
  /** Instead of the configured latency. */
  readonly latency?: Latency | undefined;
}

/** Acts of a backtest of a session. */
export interface SimulatedSession {
  readonly fills: readonly DriftFill[];
  readonly margin: readonly RunMargin[];
}

/** Runs the strategies of a session on its market, in the simulated venue, from what its wallets held. */
export async function simulateSession(setting: DriftRun): Promise<SimulatedSession> {
  const { config, session, market, latency } = setting;
  const instruments = new Instruments(setting.specs);
  const clock = new VirtualClock(Math.min(market.start ?? session.begin, session.begin) as Micros);
  const fills: DriftFill[] = [];
  let margin: readonly RunMargin[] = [];
  const run = await openRun<Event, SimVenue, RunResult>({
    config,
    instruments,
    clock,
    history: session.history,
    source: batchesOf(market.recording, clock),
    series: receivedTracks(session.series, config),
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
      beginRun: () => trader.start('backtest'),
      accept: (event) => {
        if (event.exchangeTime > session.end) return false;
        clock.advanceTo((event.exchangeTime - 1) as Micros);
        venue.accept(event as MarketEvent);
        return true;
      },
      endRun: (damage) => {
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

/** No event is kept here, so what has passed may be overwritten. */
async function* batchesOf(recording: Recording, clock: Clock): AsyncGenerator<Batch<Event>, void, undefined> {
  for await (const events of recording.events(() => clock.now())) yield { events };
}

/** The specs with the fee rates that a session was charged: to a millionth, what is finer was rounding. */
export function chargedSpecs(
  instruments: Instruments,
  fills: readonly DriftFill[],
): readonly InstrumentSpec[] {
  return instruments.all.map((instrument) => {
    if (instrument.feesInThird) return instrument.spec;
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

export interface DriftSetting {
  readonly recording: Recording;
  /** The run directory, with the journal. */
  readonly journal: string;
  readonly asRecorded: (recorded: Tree) => Config;
  /** The configuration of the backtest: that of the session, or with changes. */
  readonly configure: (recorded: Tree) => Config;
  /** Window that is compared; the whole session when left out. */
  readonly window?: DriftWindow | undefined;
}

/** Drift between a session and its backtest. */
export interface SessionDrift extends Drift {
  readonly session: DriftSession;
  readonly fills: { readonly live: number; readonly configured: number; readonly substituted: number };
  /** The margin accounts of the session beside those of the backtest with its latencies and fees. */
  readonly margin: readonly MarginDriftRow[];
  /** How many times the recorded market could not be believed. */
  readonly gaps: number;
}

/**
 * Replays a session as a backtest three times, each closer to it, and attributes what differs. Its market lies in a file meanwhile,
 * in a folder for temporary files.
 */
export async function driftOf(setting: DriftSetting): Promise<SessionDrift> {
  const session = await readSession(setting);
  const folder = mkdtempSync(join(tmpdir(), 'godwit-drift-'));
  try {
    const market = await readMarket(setting.recording, session, join(folder, 'market.pack'));
    return await compared(setting, session, market);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compared(
  setting: DriftSetting,
  session: DriftSession,
  market: SessionMarket,
): Promise<SessionDrift> {
  const { instruments } = setting.recording;
  const { config } = withChangedParams(setting.configure(session.configuration), session.history);
  const run = { config, session, market };
  const configured = await simulateSession({ ...run, specs: instruments.all.map(({ spec }) => spec) });
  const specs = chargedSpecs(instruments, session.fills);
  const charged = await simulateSession({ ...run, specs });
  const timed = await simulateSession({ ...run, specs, latency: session.latency.latency() });
  const { departed } = session;
  const from = setting.window?.from ?? 0;
  const within = (fills: readonly DriftFill[]): readonly DriftFill[] =>
    fills.filter(({ time }) => time >= from);
  const live = within(session.fills);
  const isExplained = departed === undefined || market.missing.some(({ from }) => from <= departed);
  const drift = attributeDrift({
    instruments,
    marks: market.marks,
    live,
    configured: within(configured.fills),
    charged: within(charged.fills),
    timed: within(timed.fills),
    missing: market.missing,
    departed: isExplained ? undefined : departed,
  });
  const fills = {
    live: live.length,
    configured: within(configured.fills).length,
    substituted: within(timed.fills).length,
  };
  return { ...drift, session, fills, margin: compareMargin(session.margin, timed.margin), gaps: market.gaps };
}
