import { microsPerMilli } from '../base/clock.ts';
import type { Event } from '../model/event.ts';

const linesMax = 50;
const urgentMax = 10;

/** What strategies said in a run, as lines with time, level and name: the first of them whole, the others counted. */
export class StrategyNotes {
  readonly #lines: string[] = [];
  readonly #urgent: string[] = [];
  #count = 0;
  #urgentCount = 0;

  observe(event: Event): void {
    if (event.kind !== 'strategyNoted') return;
    const { receiveTime, strategy, level, text } = event;
    const time = new Date(Math.floor(receiveTime / microsPerMilli)).toISOString();
    const line = `${time}  strategy ${strategy}, ${level}: ${text}`;
    this.#count += 1;
    if (this.#lines.length < linesMax) this.#lines.push(line);
    if (level !== 'warn' && level !== 'error') return;
    this.#urgentCount += 1;
    if (this.#urgent.length < urgentMax) this.#urgent.push(line);
  }

  /** The first fifty lines, and how many more there were. */
  get lines(): readonly string[] {
    return withRest(this.#lines, this.#count);
  }

  /** The first ten warnings and errors, and how many more there were. */
  get urgent(): readonly string[] {
    return withRest(this.#urgent, this.#urgentCount);
  }
}

function withRest(lines: readonly string[], count: number): readonly string[] {
  const rest = count - lines.length;
  return rest === 0 ? lines : [...lines, `and ${rest} more lines of strategies`];
}
