import { write } from './tables.js';
import { showChoices } from './views.js';

const byId = (id) => document.getElementById(id);
const linesMax = 200;
const all = 'all kinds';

/** The last records of the journal, the newest first. While it is paused, what is shown stays. */
export class JournalLines {
  #lines = [];
  /** What is shown while it is paused. */
  #held;

  constructor(changed) {
    byId('journal-pause').addEventListener('click', () => {
      this.#held = this.#held === undefined ? this.#lines : undefined;
      changed();
    });
    byId('journal-kind').addEventListener('change', changed);
  }

  clear() {
    this.#lines = [];
    this.#held = undefined;
  }

  /** Some may be known: a reading and the stream overlap. */
  add(lines) {
    const known = new Map([...this.#lines, ...lines].map((line) => [line.sequence, line]));
    this.#lines = [...known.values()].sort((a, b) => b.sequence - a.sequence).slice(0, linesMax);
  }

  /** Shows what is chosen, and returns the records of it. */
  shown() {
    const held = this.#held;
    write(byId('journal-pause'), held === undefined ? 'Pause' : 'Go on');
    const newest = held?.[0]?.sequence ?? 0;
    const newer = this.#lines.filter(({ sequence }) => sequence > newest).length;
    write(byId('journal-paused'), held === undefined ? '' : `paused; ${newer} newer records`);
    const select = byId('journal-kind');
    const kinds = [...new Set([...this.#lines, ...(held ?? [])].map(({ kind }) => kind))].sort((a, b) =>
      a.localeCompare(b),
    );
    const chosen = select.value === '' ? all : select.value;
    showChoices(select, [all, ...new Set(chosen === all ? kinds : [...kinds, chosen])]);
    return (held ?? this.#lines).filter(({ kind }) => chosen === all || kind === chosen);
  }
}
