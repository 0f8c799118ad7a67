import { BadInput } from '../../core/base/errors.ts';
import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { JournalCut } from '../../core/journal/read-records.ts';
import { readJournal } from '../../core/journal/replay.ts';
import type { Event } from '../../core/model/event.ts';
import type { Balance } from '../../core/model/market.ts';
import { runChannel } from '../../core/model/frame.ts';
import type { Side } from '../../core/model/order.ts';
import type { DriftFill } from '../../research/checks/drift-fills.ts';
import { SessionLatency } from '../../research/scenario/session-latency.ts';
import type { RunMargin } from './drift-margin.ts';
import { SessionMargin } from './drift-margin.ts';
import { historyBefore, JournalComparison } from './journal-comparison.ts';
import { replaySession } from './session.ts';
import { readMark } from '../run/mark.ts';

/** What a recorded session did, by its journal. */
export interface DriftSession {
  readonly run: string;
  readonly mode: string;
  /** What of the configuration decided. */
  readonly configuration: Tree;
  readonly begin: Micros;
  /** When the strategies were stopped. */
  readonly end: Micros;
  /** When the recording ends, where that is before the session did: cut short, or the session was killed. */
  readonly cutAt: Micros | undefined;
  readonly fills: readonly DriftFill[];
  /** What the account held at the beginning, where the journal says so. */
  readonly balances: readonly Balance[];
  /** The same of the wallet of contracts. */
  readonly futures: readonly Balance[];
  /** What its margin accounts came to. */
  readonly margin: readonly RunMargin[];
  readonly latency: SessionLatency;
  /** When the replay of the session first differs from its journal. */
  readonly departed: number | undefined;
  readonly notes: readonly string[];
}

export interface SessionSetting {
  readonly recording: Recording;
  /** The run directory, with the journal. */
  readonly journal: string;
  /** The configuration of a replay, exactly as recorded. */
  readonly asRecorded: (recorded: Tree) => Config;
}

/** Reads a session and replays it. Throws `BadInput` when the recording is not that of a run. */
export async function readSession(setting: SessionSetting): Promise<DriftSession> {
  const { recording, journal } = setting;
  const marks = await marksOf(recording);
  const ledger = new SessionLedger();
  const margin = new SessionMargin(recording.instruments);
  let isThisRun = false;
  let isPast = false;
  let last = marks.begin as number;
  let lost: string | undefined;
  let removed: string | undefined;
  const onCut = ({ why }: JournalCut): void => {
    lost = `${journal}: ${why}: what is missing is not in the comparison`;
  };
  for (const { event } of readJournal(journal, { onCut, onRemoved: ({ why }) => (removed = why) })) {
    if (event.kind === 'runStarted') {
      isThisRun = event.run === marks.run;
      if (isThisRun) margin.begin();
    }
    if (!isThisRun) {
      if (!isPast) margin.observe(event);
      continue;
    }
    isPast = true;
    margin.observe(event);
    ledger.observe(event);
    last = Math.max(last, event.receiveTime);
  }
  const { departed, notes } = await departureOf(setting);
  const { recordedTo, ...begun } = marks;
  const end = marks.end ?? (last as Micros);
  const cutAt = marks.end === undefined && recordedTo < end ? recordedTo : undefined;
  return {
    ...begun,
    end,
    cutAt,
    fills: ledger.fills,
    balances: ledger.balances,
    futures: ledger.futures,
    margin: margin.all(),
    latency: ledger.latency,
    departed,
    notes: [
      ...[removed, lost].filter((note) => note !== undefined),
      ...notes,
      ...(cutAt === undefined ? [] : [cutText(cutAt, end)]),
      ...(margin.openAccounts === 0 ? [] : [openText(margin.openAccounts)]),
    ],
  };
}

function cutText(cutAt: Micros, end: Micros): string {
  return `the recording ends at ${timeText(cutAt)}, ${(end - cutAt) / 1_000} ms before the journal does: fills from then on count as missing data`;
}

function openText(count: number): string {
  return `${count} margin ${count === 1 ? 'account was' : 'accounts were'} open when the session began: the backtest begins without`;
}

/** Own fills, opening balances and latencies out of a run's events. */
class SessionLedger {
  readonly fills: DriftFill[] = [];
  readonly latency = new SessionLatency();
  readonly #sides = new Map<string, Side>();
  readonly #seen = new Set<string>();
  #balances: readonly Balance[] | undefined;
  #futures: readonly Balance[] | undefined;

  get balances(): readonly Balance[] {
    return this.#balances ?? [];
  }

  get futures(): readonly Balance[] {
    return this.#futures ?? [];
  }

  observe(event: Event): void {
    this.latency.observe(event);
    switch (event.kind) {
      case 'orderPending':
        this.#sides.set(event.command.request.clientOrderId, event.command.request.side);
        return;
      case 'replacePending':
        this.#sides.set(event.command.newClientOrderId, event.command.side);
        return;
      case 'balances':
        if (event.complete) this.#opened(event.balances, event.wallet);
        return;
      case 'orderReport':
        if (event.fill !== undefined)
          this.#fill(event.fill, event.order.clientOrderId, event.order.instrument);
        return;
      case 'readAnswered':
        if (event.what.of === 'balances')
          this.#opened(event.balances, event.what.product === 'futures' ? 'futures' : undefined);
        for (const fill of event.fills) this.#fill(fill, fill.clientOrderId, fill.instrument);
        return;
      default:
    }
  }

  #opened(balances: readonly Balance[], wallet: 'futures' | undefined): void {
    if (wallet === 'futures') this.#futures ??= balances;
    else this.#balances ??= balances;
  }

  /** A fill of an order of this run counts once, however often it is reported. */
  #fill(
    fill: Pick<DriftFill, 'price' | 'quantity' | 'fee' | 'taker' | 'time'> & { readonly tradeId: string },
    order: string,
    instrument: DriftFill['instrument'],
  ): void {
    const side = this.#sides.get(order);
    const key = `${instrument} ${fill.tradeId} ${order}`;
    if (side === undefined || this.#seen.has(key)) return;
    this.#seen.add(key);
    const { price, quantity, fee, taker, time } = fill;
    this.fills.push({ instrument, side, price, quantity, fee, taker, time });
  }
}

type Marks = Pick<DriftSession, 'run' | 'mode' | 'configuration' | 'begin'> & {
  readonly end: Micros | undefined;
  /** The last frame. */
  readonly recordedTo: Micros;
};

async function marksOf({ frames, paths }: Recording): Promise<Marks> {
  let begun: Omit<Marks, 'end' | 'recordedTo'> | undefined;
  let recordedTo = 0 as Micros;
  let end: Micros | undefined;
  if (frames === undefined) throw new BadInput(`${paths.join(', ')}: expected a frame log of a run`);
  for await (const batch of frames()) {
    for (const frame of batch) {
      recordedTo = frame.receiveTime;
      if (frame.channel !== runChannel) continue;
      const mark = readMark(frame);
      if (mark.mark === 'start') {
        const { run, mode, configuration } = mark;
        begun ??= { run, mode, configuration, begin: frame.receiveTime };
      } else if (mark.mark === 'stop') end ??= frame.receiveTime;
    }
  }
  if (begun === undefined)
    throw new BadInput(
      `${paths.join(', ')}: expected the recording of a run (trade --record), found market data alone`,
    );
  return { ...begun, end, recordedTo };
}

async function departureOf({
  recording,
  journal,
  asRecorded,
}: SessionSetting): Promise<Pick<DriftSession, 'departed' | 'notes'>> {
  let comparison: JournalComparison | undefined;
  let departed: number | undefined;
  const { changed } = await replaySession({
    recording,
    configure: asRecorded,
    history: (run) => {
      comparison = new JournalComparison(journal, run);
      return historyBefore(journal, run);
    },
    watch: (stamped) => {
      comparison?.observe(stamped);
      if (comparison?.departure !== undefined) departed ??= stamped.event.receiveTime;
    },
  });
  const notes = changed.map((what) => `the ${what} are not as they were in the session`);
  return { departed, notes };
}
