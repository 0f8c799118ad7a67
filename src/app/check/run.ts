import { Random } from '../../core/base/random.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Event } from '../../core/model/event.ts';
import type { RunTimeline } from '../../research/checks/index.ts';
import { memoryRecording, packInMemory } from '../../research/scenario/memory-recording.ts';
import { marketDataTime, perturbed, perturbedSeries } from '../../research/checks/index.ts';
import { isBarScenario } from '../../research/scenario/bar-terms.ts';
import { liveNotes } from '../backtest/bar-controls.ts';
import { runScenario } from '../backtest/scenario-run.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import type { CallSites } from './call-sites.ts';
import { TimelineWriter } from './timeline-writer.ts';
import type { CheckRequest, CheckTask } from './task.ts';
import type { Micros } from '../../core/base/clock.ts';

export interface CheckRun {
  readonly task: CheckTask;
  /** The data of the task. */
  readonly bytes: Uint8Array;
  readonly sites: CallSites;
}

/** How long a run goes on in another future: further on, nothing is compared any more. */
const tailMicros = 120_000_000;
const far = Number.MAX_SAFE_INTEGER as Micros;

/** One run of a task, written down. Throws what a backtest throws when it cannot begin. */
export async function runChecked(run: CheckRun, request: CheckRequest): Promise<RunTimeline> {
  const { task, bytes, sites } = run;
  const writer = new TimelineWriter(sites, request.cuts);
  const watch = (event: Event): void => writer.observe(event);
  const whole = memoryRecording(bytes, 'the recording');
  const begun =
    request.from === undefined
      ? whole
      : memoryRecording(
          (await packInMemory(whole, { span: { from: request.from as Micros, to: far } })).bytes,
          'the recording, begun later',
        );
  const loaded = request.from === undefined ? task.loaded : withoutStart(task.loaded);
  const { problems, barRun } = await runScenario({
    loaded: withOtherSeries(loaded, request),
    data: {
      recording: futureOf(begun, request, isBarScenario(loaded.scenario)),
      prepared: request.from === undefined ? task.prepared : 0,
    },
    watch,
  });
  return writer.timeline(problems, barRun && liveNotes(barRun.live));
}

/** A later start is where the data begin then, not where the clock of the scenario would. */
function withoutStart(loaded: ConfiguredScenario): ConfiguredScenario {
  const { scenario } = loaded;
  return { ...loaded, scenario: { ...scenario, clock: { ...scenario.clock, start: undefined } } };
}

/** The recording with another future, when one is asked for. */
function futureOf(recording: Recording, { future }: CheckRequest, bars: boolean): Recording {
  if (future === undefined) return recording;
  const { instruments } = recording;
  const { cut, seed } = future;
  const events = () =>
    ended(
      perturbed(recording.events(), { instruments, cut, random: new Random(seed).fork(`cut/${cut}`), bars }),
      cut,
      bars,
    );
  return { ...recording, events };
}

/** The series with another future, when one is asked for. */
function withOtherSeries(loaded: ConfiguredScenario, { future }: CheckRequest): ConfiguredScenario {
  const { series } = loaded;
  if (future === undefined || series === undefined) return loaded;
  const random = new Random(future.seed).fork(`series/${future.cut}`);
  return { ...loaded, series: series.map((table) => perturbedSeries(table, future.cut, random)) };
}

async function* ended(
  batches: AsyncIterable<readonly Event[]>,
  cut: number,
  bars: boolean,
): AsyncGenerator<readonly Event[], void, undefined> {
  let later = 0;
  for await (const batch of batches) {
    yield batch;
    if (batch.every((event) => marketDataTime(event, bars) > cut + tailMicros)) later += 1;
    if (later > 1) return;
  }
}
