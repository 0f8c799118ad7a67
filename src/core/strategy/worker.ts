import { workerData } from 'node:worker_threads';
import { BadInput } from '../base/errors.ts';
import { Instruments } from '../model/instrument.ts';
import type { Product } from '../model/product.ts';
import type { StateOptions } from '../state/index.ts';
import { State } from '../state/index.ts';
import { describeThrown } from './thrown.ts';
import { CutSizes } from './cut-sizes.ts';
import type { SeriesDeclaration } from '../model/event.ts';
import type { FeedRequest } from './feed-request.ts';
import { checkFeeds, plainFeed } from './feed-request.ts';
import { loadStrategy } from './loader.ts';
import type { IntentSink } from './intent-sink.ts';
import { paramsSchemaText, readFeeds, readParams, readProducts, readSeriesRequests } from './params.ts';
import { Runner } from './runner.ts';
import { closeModules } from './closed-modules.ts';
import { closeThread } from './close-thread.ts';
import { RingWriter } from './ring.ts';
import { WorkerInbox } from './worker-inbox.ts';
import type { FromWorker, ToWorker, WorkerData, WorkerTask } from './worker-messages.ts';

/** The thread of one strategy: its replica of the state, its runner, and the port to its host. */
const given = workerData as Partial<WorkerData> | null;
const { task, channel } = given ?? {};
if (given !== null && task !== undefined && channel !== undefined) {
  // The code of the strategy can read `workerData`, and must not find the way to the host there.
  delete given.channel;
  const { port, toWorker, fromWorker } = channel;
  const writer = new RingWriter({ memory: fromWorker, port });
  const say = (message: FromWorker): void => writer.postWaiting(message);
  const inbox = new WorkerInbox({ memory: toWorker, port });
  closeThread();
  if (task.isLimited) closeModules();
  try {
    const { name, feeds, series, products, paramsSchema, parts } = await load(task, say);
    if (parts !== undefined) {
      const { cuts } = parts;
      inbox.open({
        take: (message) => hear(message, parts),
        handled: (count) => {
          tellCuts(cuts, say);
          if (count > 0) say({ type: 'handled', count });
        },
      });
    }
    say({
      type: 'ready',
      name,
      feeds: plainFeeds(feeds),
      series: plainSeries(series),
      products: [...products],
      paramsSchema,
    });
  } catch (error) {
    say({ type: 'refused', why: error instanceof Error ? error.message : describeThrown(error) });
  }
}

type Say = (message: FromWorker) => void;

interface Loaded {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  readonly series: readonly SeriesDeclaration[];
  readonly products: readonly Product[];
  readonly paramsSchema: string;
  /** Parts that run, where the task names instruments. */
  readonly parts: Parts | undefined;
}

async function load(task: WorkerTask, say: Say): Promise<Loaded> {
  const definition = await loadStrategy(task.path, task.name);
  const { name } = definition;
  const params = readParams(definition, task.params);
  const feeds = readFeeds(definition, params);
  const series = readSeriesRequests(definition, params);
  const products = readProducts(definition, params);
  const paramsSchema = paramsSchemaText(definition);
  const { specs } = task;
  checkFeeds(name, feeds);
  if (specs === undefined) return { name, feeds, series, products, paramsSchema, parts: undefined };
  const options = task.stateOptions as Partial<StateOptions> | undefined;
  const periods = new Set([
    ...(options?.candlePeriods ?? []),
    ...feeds.flatMap(({ candles }) => candles ?? []),
  ]);
  const instruments = new Instruments(specs);
  const state = new State({ instruments, options: { ...options, candlePeriods: [...periods] } });
  const cuts = new CutSizes();
  const runner = new Runner({ ...task, name, definition, state, cuts, sink: sinkTo(say) });
  const parts = { state, runner, cuts, say };
  return { name: runner.name, feeds: runner.feeds.requests, series, products, paramsSchema, parts };
}

interface Parts {
  readonly state: State;
  readonly runner: Runner;
  readonly cuts: CutSizes;
  readonly say: Say;
}

function hear(message: ToWorker, { state, runner, cuts, say }: Parts): void {
  switch (message.type) {
    case 'event':
      said.count = 0;
      // A broken promise of an order's life halts the trader by itself; the replica stays whole.
      state.fold(message.event);
      runner.notify(message.event);
      return;
    case 'start':
      said.count = 0;
      runner.start(message.now, message);
      return;
    case 'stop':
      said.count = 0;
      runner.stop(message.now);
      tellCuts(cuts, say);
      say({ type: 'ended', why: '' });
      return;
    case 'ping':
      say({ type: 'pong' });
      return;
    case 'flush':
      // What a stream was given before is passed on before its callback runs.
      process.stdout.write('', () => process.stderr.write('', () => say({ type: 'flushed' })));
  }
}

/** At most one message for each instrument and slice of events. */
function tellCuts(cuts: CutSizes, say: Say): void {
  for (const cut of cuts.untold()) say({ type: 'cut', ...cut });
}

/** More notes, timers and kept states than this in one handler end the strategy: they would hold up what others wait for. */
const saidMax = 5_000;
/** Count of what the present handler has said. */
const said = { count: 0 };

function sinkTo(say: Say): IntentSink {
  const sayCounted: Say = (message) => {
    said.count += 1;
    if (said.count > saidMax)
      throw new BadInput(`expected at most ${saidMax} notes, timers and kept states of one handler`);
    say(message);
  };
  return {
    intend: (intent) => say({ type: 'intent', intent }),
    noteText: (level, text) => sayCounted({ type: 'note', level, text }),
    arm: (timerId, delay, period) => sayCounted({ type: 'arm', timerId, delay, period }),
    disarm: (timerId) => say({ type: 'disarm', timerId }),
    keepState: (state) => sayCounted({ type: 'keep', state: { ...state } }),
    quarantine: (why) => say({ type: 'ended', why }),
  };
}

/** A feed request with known keys only, as it may be posted. */
type Ready = FromWorker & { type: 'ready' };

/** Feeds as they can be sent: of plain lists that may be written to. */
function plainFeeds(feeds: readonly FeedRequest[]): Ready['feeds'] {
  return structuredClone(feeds.map(plainFeed)) as Ready['feeds'];
}

/** Series as they can be sent. */
function plainSeries(series: readonly SeriesDeclaration[]): Ready['series'] {
  return structuredClone(series) as Ready['series'];
}
