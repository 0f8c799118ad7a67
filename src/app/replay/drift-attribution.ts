import type { Config } from '../config/schema.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { Drift } from '../../research/checks/drift.ts';
import { attributeDrift } from '../../research/checks/drift.ts';
import { chargedSpecs, readMarket, simulateSession } from './drift-run.ts';
import type { DriftSession } from './drift-session.ts';
import { readSession } from './drift-session.ts';

export interface DriftSetting {
  readonly recording: Recording;
  /** The run directory, with the journal. */
  readonly journal: string;
  readonly asRecorded: (recorded: Tree) => Config;
  /** The configuration of the backtest: that of the session, or with changes. */
  readonly configure: (recorded: Tree) => Config;
}

/** What a session and its backtest come to. */
export interface SessionDrift extends Drift {
  readonly session: DriftSession;
  readonly fills: { readonly live: number; readonly configured: number; readonly substituted: number };
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
  const isExplained = departed === undefined || market.missing.some(({ from }) => from <= departed);
  const drift = attributeDrift({
    instruments,
    marks: market.marks,
    live: session.fills,
    configured,
    charged,
    timed,
    missing: market.missing,
    departed: isExplained ? undefined : departed,
  });
  const fills = { live: session.fills.length, configured: configured.length, substituted: timed.length };
  return { ...drift, session, fills, gaps: market.gaps };
}
