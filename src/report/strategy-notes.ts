import { microsPerMilli } from '../base/clock.ts';
import type { Event } from '../model/event.ts';

const linesMax = 50;
const urgentMax = 10;

/** What strategies said in a run, as lines with time, level and name: the first of them whole, the others counted. */
export class StrategyNotes {
  readonly #lines: string[] = [];
  /** By what was said: the first line of it, and how often it was said. */
  readonly #urgent = new Map<string, { readonly line: string; count: number }>();
  #count = 0;
  #urgentLeft = 0;

  observe(event: Event): void {
    if (event.kind !== 'strategyNoted') return;
    const { receiveTime, strategy, level, text } = event;
    const time = new Date(Math.floor(receiveTime / microsPerMilli)).toISOString();
    const said = `strategy ${strategy}, ${level}: ${text}`;
    const line = `${time}  ${said}`;
    this.#count += 1;
    if (this.#lines.length < linesMax) this.#lines.push(line);
    if (level !== 'warn' && level !== 'error') return;
    const known = this.#urgent.get(said);
    if (known !== undefined) known.count += 1;
    else if (this.#urgent.size < urgentMax) this.#urgent.set(said, { line, count: 1 });
    else this.#urgentLeft += 1;
  }

  /** The first fifty lines, and how many more there were. */
  get lines(): readonly string[] {
    return withRest(this.#lines, this.#count);
  }

  /** Ten different warnings and errors, each with how often it came, and how many others there were. */
  get urgent(): readonly string[] {
    const lines = [...this.#urgent.values()].map(({ line, count }) =>
      count === 1 ? line : `${line} (${count} times)`,
    );
    return withRest(lines, lines.length + this.#urgentLeft);
  }
}

function withRest(lines: readonly string[], count: number): readonly string[] {
  const rest = count - lines.length;
  return rest === 0 ? lines : [...lines, `and ${rest} more lines of strategies`];
}
