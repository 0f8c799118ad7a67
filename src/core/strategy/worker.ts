import { workerData } from 'node:worker_threads';
import { BadInput } from '../base/errors.ts';
import { Instruments } from '../model/instrument.ts';
import type { StateOptions } from '../state/index.ts';
import { State } from '../state/index.ts';
import { describeThrown } from './thrown.ts';
import { CutSizes } from './cut-sizes.ts';
import type { SeriesDeclaration } from '../model/event.ts';
import type { StrategyDefinition } from './define.ts';
import type { FeedRequest } from './feed-request.ts';
import { checkFeeds, plainFeed } from './feed-request.ts';
import { loadStrategy } from './loader.ts';
import type { IntentSink } from './intent-sink.ts';
import { paramsSchemaText, readFeeds, readParams, readProducts, readSeriesRequests } from './params.ts';
import { Runner } from './runner.ts';
import { usePlainCode } from './plain-code.ts';
import { closeModules } from './closed-modules.ts';
import { closeThread } from './close-thread.ts';
import type { Wakes } from './ring.ts';
import { RingWriter } from './ring.ts';
import { WorkerInbox } from './worker-inbox.ts';
import type {
  FromWorker,
  MemberTask,
  ReadyMember,
  ToWorker,
  WorkerData,
  WorkerTask,
} from './worker-messages.ts';

/** Count of events handled, at most, of which the host may not have read. */
const unreadMax = 256;

/** The thread of one strategy, or of a group: a replica of the state, a runner for each, and the channel to the hosts. */
const given = workerData as Partial<WorkerData> | null;
const { task, channel } = given ?? {};
if (given !== null && task !== undefined && channel !== undefined) {
  // The code of the strategy can read `workerData`, and must not find the way to the host there.
  delete given.channel;
  const { port, toWorker, fromWorker } = channel;
  /** Count of events handled of which the host may not have read. */
  let unread = 0;
  const writer = new RingWriter({ memory: fromWorker, port });
  const say: Say = (message, wakes) => writer.postWaiting(message, wakes);
  const inbox = new WorkerInbox({ memory: toWorker, port });
  // Bound at the start: code that is loaded later must not find the port.
  const leave = port.unref.bind(port);
  closeThread();
  usePlainCode(task.code);
  if (task.isLimited) closeModules();
  try {
    const { members, parts } = await load(task, say);
    if (parts === undefined) leave();
    else
      inbox.open({
        take: (message) => hear(message, parts),
        handled: (count) => {
          tellCuts(parts);
          if (count === 0) return;
          unread += count;
          // Nobody acts on it alone, and to wake the host takes its time.
          say({ type: 'handled', count }, unread < unreadMax ? 'next' : 'now');
          unread %= unreadMax;
        },
        idle: () => {
          if (unread > 0) writer.wakeReader();
          unread = 0;
        },
      });
    say({ type: 'ready', members });
  } catch (error) {
    leave();
    say({ type: 'refused', why: error instanceof Error ? error.message : describeThrown(error) });
  }
}

type Say = (message: FromWorker, wakes?: Wakes) => void;

interface Loaded {
  readonly members: ReadyMember[];
  /** Parts that run, where the task names instruments. */
  readonly parts: Parts | undefined;
}

async function load(task: WorkerTask, say: Say): Promise<Loaded> {
  const read = [];
  for (const member of task.members) read.push({ member, ...(await readMember(member)) });
  const members = read.map(({ declared }) => declared);
  const { specs } = task;
  if (specs === undefined) return { members, parts: undefined };
  const options = task.stateOptions as Partial<StateOptions> | undefined;
  const periods = new Set([
    ...(options?.candlePeriods ?? []),
    ...members.flatMap(({ feeds }) => feeds.flatMap(({ candles }) => candles ?? [])),
  ]);
  const instruments = new Instruments(specs);
  const state = new State({ instruments, options: { ...options, candlePeriods: [...periods] } });
  const running = read.map(({ member, definition, declared }, of) => {
    const cuts = new CutSizes();
    const { name } = declared;
    const runner = new Runner({ ...task, ...member, name, definition, state, cuts, sink: sinkTo(of, say) });
    return { runner, cuts };
  });
  return {
    members: members.map((one, of) => ({
      ...one,
      feeds: plainFeeds(running[of]?.runner.feeds.requests ?? []),
    })),
    parts: { state, members: running, say },
  };
}

async function readMember(
  member: MemberTask,
): Promise<{ readonly definition: StrategyDefinition; readonly declared: ReadyMember }> {
  const definition = await loadStrategy(member.path, member.name);
  const name = member.name ?? definition.name;
  const params = readParams(definition, member.params);
  const feeds = readFeeds(definition, params);
  const series = plainSeries(readSeriesRequests(definition, params));
  const products = [...readProducts(definition, params)];
  const paramsSchema = paramsSchemaText(definition);
  checkFeeds(name, feeds);
  return { definition, declared: { name, feeds: plainFeeds(feeds), series, products, paramsSchema } };
}

interface Parts {
  readonly state: State;
  readonly members: readonly { readonly runner: Runner; readonly cuts: CutSizes }[];
  readonly say: Say;
}

function hear(message: ToWorker, parts: Parts): void {
  const { state, members, say } = parts;
  switch (message.type) {
    case 'event':
      // A broken promise of an order's life halts the trader by itself; the replica stays whole.
      state.fold(message.event);
      for (const { runner } of members) {
        said.count = 0;
        runner.notify(message.event);
      }
      return;
    case 'start':
      said.count = 0;
      members[message.of]?.runner.start(message.now, message);
      return;
    case 'stop':
      said.count = 0;
      members[message.of]?.runner.stop(message.now);
      tellCuts(parts);
      say({ type: 'ended', of: message.of, why: '' });
      return;
    case 'ping':
      say({ type: 'pong' });
      return;
    case 'flush':
      // What a stream was given before is passed on before its callback runs.
      process.stdout.write('', () => process.stderr.write('', () => say({ type: 'flushed' })));
  }
}

/** At most one message for each strategy, instrument and slice of events. */
function tellCuts({ members, say }: Parts): void {
  for (const [of, { cuts }] of members.entries())
    for (const cut of cuts.untold()) say({ type: 'cut', of, ...cut });
}

/** More notes, timers and kept states than this in one handler end the strategy: they would hold up what others wait for. */
const saidMax = 5_000;
/** Count of what the present handler has said. */
const said = { count: 0 };

function sinkTo(of: number, say: Say): IntentSink {
  const sayCounted: Say = (message) => {
    said.count += 1;
    if (said.count > saidMax)
      throw new BadInput(`expected at most ${saidMax} notes, timers and kept states of one handler`);
    say(message);
  };
  return {
    intend: (intent) => say({ type: 'intent', of, intent }),
    noteText: (level, text) => sayCounted({ type: 'note', of, level, text }),
    arm: (timerId, delay, period) => sayCounted({ type: 'arm', of, timerId, delay, period }),
    disarm: (timerId) => say({ type: 'disarm', of, timerId }),
    keepState: (state) => sayCounted({ type: 'keep', of, state: { ...state } }),
    quarantine: (why) => say({ type: 'ended', of, why }),
  };
}

/** Feeds as they can be sent: of plain lists that may be written to, with known keys only. */
function plainFeeds(feeds: readonly FeedRequest[]): ReadyMember['feeds'] {
  return structuredClone(feeds.map(plainFeed)) as ReadyMember['feeds'];
}

/** Series as they can be sent. */
function plainSeries(series: readonly SeriesDeclaration[]): ReadyMember['series'] {
  return structuredClone(series) as ReadyMember['series'];
}
