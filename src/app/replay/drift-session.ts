import { BadInput } from '../../core/base/errors.ts';
import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { RecordPlace } from '../../core/journal/index.ts';
import { lastCarriedIn } from '../../core/journal/index.ts';
import { reportedBalances } from '../../core/ledger/index.ts';
import type { CarriedState } from '../../core/model/carried-state.ts';
import type { Event, SeriesRow } from '../../core/model/event.ts';
import type { Balance } from '../../core/model/market.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { stateAfter } from '../../core/trader/index.ts';
import type { StateView } from '../../core/state/index.ts';
import { runChannel } from '../../core/model/frame.ts';
import type { Side } from '../../core/model/order.ts';
import type { DriftFill } from '../../research/checks/index.ts';
import { SessionLatency } from '../../research/scenario/index.ts';
import type { RunMargin } from './drift-margin.ts';
import { marginOf, marginSince } from './drift-margin.ts';
import { Unrepeatable } from './unrepeatable.ts';
import { JournalComparison } from './journal-comparison.ts';
import { replaySession } from './session.ts';
import { leftOf } from '../live/index.ts';
import { JournalSession } from '../run/journal-session.ts';
import { readMark } from '../run/mark.ts';

/** Acts of a recorded session, by its journal. */
export interface DriftSession {
  readonly run: string;
  readonly mode: string;
  /** Part of the configuration that decided. */
  readonly configuration: Tree;
  readonly begin: Micros;
  /** Whether it begins with its run, and not with a state that was carried over within it. */
  readonly isWhole: boolean;
  /** Holdings of its strategies when it began, as the record of a journal: empty for a fresh journal. */
  readonly history: readonly StampedEvent[];
  /** When the strategies were stopped; where they run on, when what is compared ends. */
  readonly end: Micros;
  /** When the recording ends, where that is before the session did: cut short, or the session was killed. */
  readonly cutAt: Micros | undefined;
  readonly fills: readonly DriftFill[];
  /** Rows of series, as they came. */
  readonly series: readonly SeriesRow[];
  /** Balances of the account at the beginning, where the journal tells them. */
  readonly balances: readonly Balance[];
  /** The same of the wallet of contracts. */
  readonly futures: readonly Balance[];
  /** Results of its margin accounts. */
  readonly margin: readonly RunMargin[];
  readonly latency: SessionLatency;
  /** Why its profit is no measure of the backtest: what a backtest cannot repeat. Empty where it can be scored. */
  readonly unscored: readonly string[];
  /** When the replay of the session first differs from its journal. */
  readonly departed: number | undefined;
  readonly notes: readonly string[];
}

/** Part of a session that is compared. */
export interface DriftWindow {
  /** Only fills from then on. */
  readonly from: Micros;
  /**
   * A run that began no longer before `from` is compared from its beginning on, so that strategies come to `from` with what they
   * knew; one that began earlier from the last state on that was carried over before `from`.
   */
  readonly lead: Micros;
}

export interface SessionSetting {
  readonly recording: Recording;
  /** The run directory, with the journal. */
  readonly journal: string;
  /** The configuration of a replay, exactly as recorded. */
  readonly asRecorded: (recorded: Tree) => Config;
  /** The whole session when left out. */
  readonly window?: DriftWindow | undefined;
}

/** Reads a session and replays it. Throws `BadInput` when the recording is not that of a run. */
export async function readSession(setting: SessionSetting): Promise<DriftSession> {
  const { recording, journal, window } = setting;
  const marks = await marksOf(recording);
  const place =
    window === undefined || marks.begin >= window.from - window.lead
      ? undefined
      : lastCarriedIn(journal, marks.begin, window.from);
  // A session that goes on is compared as far as it was recorded when the comparison began.
  const until = window !== undefined && marks.end === undefined ? marks.recordedTo : undefined;
  const read = readRecords(setting, marks, place, until);
  const { record, begin } = read;
  // Only a run can be replayed, from its beginning on.
  const { departed, notes } =
    place === undefined ? await departureOf(setting, read.history) : notReplayed(begin);
  const { recordedTo, ...begun } = marks;
  const end = marks.end ?? until ?? read.last;
  const cutAt = marks.end === undefined && recordedTo < end ? recordedTo : undefined;
  return {
    ...begun,
    begin,
    isWhole: place === undefined,
    history: record.history,
    end,
    cutAt,
    fills: record.fills,
    series: record.series,
    balances: record.balances,
    futures: record.futures,
    margin: read.margin,
    latency: record.latency,
    unscored: record.unrepeatable.reasons,
    departed,
    notes: [
      ...record.unrepeatable.notes,
      ...read.notes,
      ...notes,
      ...(cutAt === undefined ? [] : [cutText(cutAt, end)]),
      ...(read.openAccounts === 0 ? [] : [openText(read.openAccounts)]),
    ],
  };
}

interface ReadRecords {
  readonly record: SessionRecord;
  /** History that the run was given: empty where its beginning is not read. */
  readonly history: readonly StampedEvent[];
  readonly margin: readonly RunMargin[];
  /** How many margin accounts were open when it began. */
  readonly openAccounts: number;
  readonly begin: Micros;
  /** When the last record was received. */
  readonly last: Micros;
  readonly notes: readonly string[];
}

/** The records of a run, from its beginning or a place in it on. */
function readRecords(
  { recording: { instruments }, journal }: SessionSetting,
  marks: Marks,
  place: RecordPlace | undefined,
  until: Micros | undefined,
): ReadRecords {
  const session =
    place === undefined ? JournalSession.of(journal, marks.run) : JournalSession.at(journal, place);
  const history = place === undefined ? session.history() : [];
  const state = stateAfter(history, { instruments });
  const record = new SessionRecord(state, place !== undefined);
  let opening = marginOf(state.positions());
  let openAccounts = state.marginAccounts().length;
  let begin = place === undefined ? marks.begin : undefined;
  let last = marks.begin;
  for (const stamped of session.records()) {
    const { event } = stamped;
    // What is received later is compared the next time.
    if (until !== undefined && event.receiveTime > until) break;
    state.fold(event);
    record.observe(stamped);
    // The first record of a session that is read from within is the state that it had then.
    if (begin === undefined) {
      opening = marginOf(state.positions());
      openAccounts = state.marginAccounts().length;
      begin = event.receiveTime;
    }
    last = Math.max(last, event.receiveTime) as Micros;
  }
  return {
    record,
    history,
    margin: marginSince(opening, state.positions()),
    openAccounts,
    begin: begin ?? marks.begin,
    last,
    notes: missingNotes(session),
  };
}

/** Notes on what the journal does not hold, and what that means for the comparison. */
function missingNotes({ directory, removed, torn, lost }: JournalSession): readonly string[] {
  const cuts = [torn, lost].filter((cut) => cut !== undefined);
  return [
    ...(removed === undefined ? [] : [removed.why]),
    ...cuts.map(({ why }) => `${directory}: ${why}: what is missing is not in the comparison`),
  ];
}

function notReplayed(begin: Micros): Pick<DriftSession, 'departed' | 'notes'> {
  return {
    departed: undefined,
    notes: [
      `the run began long before: compared from ${timeText(begin)} on, where strategies hold what they held and know nothing of before`,
    ],
  };
}

/** Part of a carried state that a backtest can go on with: the venue of a backtest knows no order and no account of before. */
function heldBy(state: CarriedState): CarriedState {
  const { off } = state.mode;
  return {
    orders: { live: [], closed: [], buried: [], unjudged: [] },
    fills: { keys: [], times: [], horizon: -1 as Micros },
    positions: state.positions.filter(({ account = 'spot' }) => account === 'spot'),
    balances: [],
    mode: { mode: 'active', why: '', latched: false, stopped: [], ...(off !== undefined && { off }) },
    sessions: { market: false, trading: false, status: state.sessions.status },
  };
}

/** Puts in what came last, and forgets what has been there for the longest where that is too much. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  if (map.size <= rememberedMax) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

function cutText(cutAt: Micros, end: Micros): string {
  return `the recording ends at ${timeText(cutAt)}, ${(end - cutAt) / 1_000} ms before the journal does: fills from then on count as missing data`;
}

function openText(count: number): string {
  return `${count} margin ${count === 1 ? 'account was' : 'accounts were'} open when the session began: the backtest begins without`;
}

/** Orders and fills of which something is remembered. */
const rememberedMax = 200_000;

/** Own fills, opening balances and latencies out of a run's events. */
class SessionRecord {
  readonly fills: DriftFill[] = [];
  readonly series: SeriesRow[] = [];
  readonly latency = new SessionLatency();
  readonly unrepeatable = new Unrepeatable();
  readonly #state: StateView;
  readonly #isWithin: boolean;
  readonly #sides = new Map<string, Side>();
  readonly #seen = new Map<string, true>();
  #balances: readonly Balance[] | undefined;
  #futures: readonly Balance[] | undefined;
  #history: readonly StampedEvent[] = [];
  /** Nothing but the start was read. */
  #isFresh = true;

  /** `state`: that to which every event was applied. `isWithin`: the first one is a state that was carried over within the run. */
  constructor(state: StateView, isWithin: boolean) {
    this.#state = state;
    this.#isWithin = isWithin;
  }

  /** Holdings of strategies at the beginning. */
  get history(): readonly StampedEvent[] {
    return this.#history;
  }

  get balances(): readonly Balance[] {
    return this.#balances ?? [];
  }

  get futures(): readonly Balance[] {
    return this.#futures ?? [];
  }

  observe(stamped: StampedEvent): void {
    const { event } = stamped;
    this.latency.observe(event);
    this.unrepeatable.observe(event, this.#isFresh);
    switch (event.kind) {
      case 'stateCarried':
        if (this.#isFresh) this.#begin(stamped, event);
        return;
      case 'seriesRow':
        this.series.push(event);
        return;
      case 'sessionUp':
        this.#isFresh = false;
        return;
      case 'orderPending':
        this.#isOf(event.command.request.clientOrderId, event.command.request.side);
        return;
      case 'replacePending':
        this.#isOf(event.command.newClientOrderId, event.command.side);
        return;
      case 'balances':
        return this.#opened(event);
      case 'orderReport':
        if (event.fill !== undefined)
          this.#fill(event.fill, event.order.clientOrderId, event.order.instrument);
        return;
      case 'readAnswered':
        this.#opened(event);
        for (const fill of event.fills) this.#fill(fill, fill.clientOrderId, fill.instrument);
        return;
      default:
    }
  }

  /** The first record is a state carried over: of the run before, or of this one. */
  #begin(stamped: StampedEvent, event: Extract<Event, { kind: 'stateCarried' }>): void {
    this.#isFresh = false;
    this.#history = [{ ...stamped, event: { ...event, state: heldBy(event.state) } }];
    if (!this.#isWithin) return;
    const left = leftOf(this.#state);
    this.#balances = left?.spot;
    this.#futures = left?.futures;
    for (const { order } of event.state.orders.live) this.#isOf(order.clientOrderId, order.side);
  }

  #isOf(clientOrderId: string, side: Side): void {
    remember(this.#sides, clientOrderId, side);
  }

  #opened(event: Event): void {
    const reported = reportedBalances(event);
    if (reported?.complete !== true) return;
    if (reported.wallet === 'futures') this.#futures ??= reported.balances;
    else this.#balances ??= reported.balances;
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
    remember(this.#seen, key, true);
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

async function departureOf(
  { recording, journal, asRecorded }: SessionSetting,
  history: readonly StampedEvent[],
): Promise<Pick<DriftSession, 'departed' | 'notes'>> {
  let comparison: JournalComparison | undefined;
  let departed: number | undefined;
  const { changed } = await replaySession({
    recording,
    configure: asRecorded,
    history: (run) => {
      comparison = new JournalComparison(JournalSession.of(journal, run));
      return history;
    },
    watch: (stamped) => {
      comparison?.observe(stamped);
      if (comparison?.departure !== undefined) departed ??= stamped.event.receiveTime;
    },
  });
  const notes = changed.map((what) => `the ${what} are not as they were in the session`);
  return { departed, notes };
}
