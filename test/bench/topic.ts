import { Subject } from 'rxjs';
import { Topic } from '../../src/core/bus/topic.ts';

/**
 * Cost of one publication: a plain callback array, a topic, and an rx Subject, with distinct trivial handlers.
 * Prints medians of interleaved rounds and the two ratios that matter: array/topic (at least 0.8) and
 * subject/topic (at least 2.5). Run: node test/bench/topic.ts
 */
interface Message {
  readonly value: number;
}

const rounds = 9;
const perRound = 400_000;
let sink = 0;

/** Twenty functions, so that the engine cannot merge them into one. */
const all: readonly ((message: Message) => void)[] = [
  (message) => (sink = (sink + message.value + 0) | 0),
  (message) => (sink = (sink + message.value + 1) | 0),
  (message) => (sink = (sink + message.value + 2) | 0),
  (message) => (sink = (sink + message.value + 3) | 0),
  (message) => (sink = (sink + message.value + 4) | 0),
  (message) => (sink = (sink + message.value + 5) | 0),
  (message) => (sink = (sink + message.value + 6) | 0),
  (message) => (sink = (sink + message.value + 7) | 0),
  (message) => (sink = (sink + message.value + 8) | 0),
  (message) => (sink = (sink + message.value + 9) | 0),
  (message) => (sink = (sink + message.value + 10) | 0),
  (message) => (sink = (sink + message.value + 11) | 0),
  (message) => (sink = (sink + message.value + 12) | 0),
  (message) => (sink = (sink + message.value + 13) | 0),
  (message) => (sink = (sink + message.value + 14) | 0),
  (message) => (sink = (sink + message.value + 15) | 0),
  (message) => (sink = (sink + message.value + 16) | 0),
  (message) => (sink = (sink + message.value + 17) | 0),
  (message) => (sink = (sink + message.value + 18) | 0),
  (message) => (sink = (sink + message.value + 19) | 0),
];

function time(publish: (message: Message) => void): number {
  const message = { value: 1 };
  const start = process.hrtime.bigint();
  for (let i = 0; i < perRound; i++) publish(message);
  return Number(process.hrtime.bigint() - start) / perRound;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

for (const count of [1, 5, 20]) {
  const list = all.slice(0, count);
  const topic = new Topic<Message>();
  const subject = new Subject<Message>();
  for (const handler of list) {
    topic.on(handler);
    subject.subscribe(handler);
  }
  const variants = {
    array: (message: Message): void => {
      for (let i = 0; i < list.length; i++) list[i]?.(message);
    },
    topic: (message: Message): void => topic.next(message),
    subject: (message: Message): void => subject.next(message),
  };
  const samples: Record<keyof typeof variants, number[]> = { array: [], topic: [], subject: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['array', 'topic', 'subject'] as const) samples[name].push(time(variants[name]));
  }
  const [array, ours, rx] = [median(samples.array), median(samples.topic), median(samples.subject)];
  const row = {
    subscribers: count,
    arrayNs: array,
    topicNs: ours,
    subjectNs: rx,
    ofArray: array / ours,
    ofSubject: rx / ours,
  };
  process.stdout.write(
    `${JSON.stringify(row, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value))}\n`,
  );
}
process.exitCode = sink === 0 ? 1 : 0;
