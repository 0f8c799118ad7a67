import { timeText } from '../../../core/base/clock.ts';
import type { Event } from '../../../core/model/event.ts';

const linesMax = 50;
const urgentMax = 10;

/** What strategies said in a run, as lines with time, level and name: what is said again is counted with its first line. */
export class StrategyNotes {
  readonly #all = new NoteList(linesMax);
  readonly #urgent = new NoteList(urgentMax);

  observe(event: Event): void {
    if (event.kind !== 'strategyNoted') return;
    const { receiveTime, strategy, level, text } = event;
    const time = timeText(receiveTime);
    const said = `strategy ${strategy}, ${level}: ${text}`;
    this.#all.add(said, time);
    if (level === 'warn' || level === 'error') this.#urgent.add(said, time);
  }

  /** Fifty different lines, each with how often it came, and how many others there were. */
  get lines(): readonly string[] {
    return this.#all.lines;
  }

  /** Ten different warnings and errors, in the same way. */
  get urgent(): readonly string[] {
    return this.#urgent.lines;
  }
}

/** The first different things that were said. */
class NoteList {
  readonly #most: number;
  /** By what was said: when first, and how often. */
  readonly #said = new Map<string, { readonly time: string; count: number }>();
  #left = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(said: string, time: string): void {
    const known = this.#said.get(said);
    if (known !== undefined) known.count += 1;
    else if (this.#said.size < this.#most) this.#said.set(said, { time, count: 1 });
    else this.#left += 1;
  }

  get lines(): readonly string[] {
    const lines = [...this.#said].map(
      ([said, { time, count }]) => `${time}  ${said}${count === 1 ? '' : ` (${count} times)`}`,
    );
    return this.#left === 0 ? lines : [...lines, `and ${this.#left} more lines of strategies`];
  }
}
