import { mark, write } from './tables.js';

const byId = (id) => document.getElementById(id);
const clockText = (ms) => new Date(ms).toISOString().slice(11, 19);
/** Buttons that change only what is looked at work on what was last known, too. */
const asking = ':is(header, main, dialog) button:not(.local, .u-legend button)';

/**
 * Whether the daemon is heard, in words. While it is not, what was last known stays, grey: every button that asks the daemon is off, in
 * an open dialog, too, and a line says since when, of which run and venue, and when the next attempt is.
 */
export class Link {
  #isLive = false;
  /** When the last word came, and when the next attempt is, in milliseconds; both may be unknown. */
  #since;
  #nextAt;
  #say = () => '';
  #isWarning = false;
  /** What had the focus when its button went off. */
  #focused;

  get isLive() {
    return this.#isLive;
  }

  /** The time of what is shown, in milliseconds: of the cut while there is one, so that no age goes on. */
  get shownAt() {
    return this.#isLive ? Date.now() : (this.#since ?? Date.now());
  }

  live() {
    this.#isLive = true;
    this.#since = undefined;
  }

  /** `say(since)` makes the sentence; `since` is when the daemon was last heard. */
  cut(say, { isWarning = false, retryMs } = {}) {
    this.#since ??= Date.now();
    this.#isLive = false;
    this.#say = say;
    this.#isWarning = isWarning;
    this.#nextAt = retryMs === undefined ? undefined : Date.now() + retryMs;
  }

  /** Draws it; `known` is the last status, or `undefined` where none came yet. */
  show(known) {
    const text = this.#isLive ? '' : this.#text(known);
    write(byId('link'), text);
    byId('link').hidden = text === '';
    mark(byId('link'), 'warning', this.#isWarning && !this.#isLive);
    for (const id of ['main', 'run', 'trading']) {
      byId(id).hidden = known === undefined;
      mark(byId(id), 'away', !this.#isLive);
    }
    for (const line of document.querySelectorAll('dialog .cut')) {
      write(line, `Nothing can be sent now. ${text}`);
      line.hidden = this.#isLive;
    }
    this.#switchButtons();
  }

  #text(known) {
    const next =
      this.#nextAt === undefined
        ? ''
        : ` The next attempt is in ${Math.max(0, Math.ceil((this.#nextAt - Date.now()) / 1_000))} s.`;
    const kept =
      known === undefined
        ? ''
        : ` What is shown was known then, of run ${known.run}, ${known.mode}, at ${known.venue}.`;
    return `${this.#say(`${clockText(this.#since ?? Date.now())} UTC`)}${kept}${next}`;
  }

  #switchButtons() {
    const off = !this.#isLive;
    if (off && document.activeElement?.matches(asking)) this.#focused ??= document.activeElement;
    for (const button of document.querySelectorAll(asking)) {
      if (button.classList.contains('close')) continue;
      if (button.disabled !== off) button.disabled = off;
    }
    if (off || this.#focused === undefined) return;
    if (document.activeElement === document.body) this.#focused.focus();
    this.#focused = undefined;
  }
}
