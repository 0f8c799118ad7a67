import { ask } from './connection.js';
import { mark, table, write } from './tables.js';

const byId = (id) => document.getElementById(id);
/** The daemon reads its journal for ten seconds at most, and others may ask before. In milliseconds. */
const answerMax = 30_000;
const levels = (side) => side.map(([price, quantity]) => `${price} × ${quantity}`).join(', ') || 'none';

/** What `godwit explain` says of one order, over the page. */
export class Explanation {
  #tokenOf;
  #id = '';

  constructor(tokenOf) {
    this.#tokenOf = tokenOf;
    byId('explain-close').addEventListener('click', () => byId('explain').close());
    byId('explain-again').addEventListener('click', () => void this.#read());
  }

  open(id) {
    this.#id = id;
    write(byId('explain-title'), `Order ${id}`);
    this.#show(undefined);
    const dialog = byId('explain');
    if (!dialog.open) dialog.showModal();
    byId('explain-close').focus();
    void this.#read();
  }

  /** Never rejects: what went wrong is shown. */
  async #read() {
    const id = this.#id;
    this.#say('reading the journal…', false);
    let text = 'The daemon did not answer. godwit explain reads the same from the journal.';
    let explained;
    try {
      const path = `/api/orders/${encodeURIComponent(id)}/explain`;
      const { ok, value } = await ask(this.#tokenOf(), path, undefined, answerMax);
      if (ok) explained = value;
      else text = value.error.message;
    } catch {
      // It is gone: the page says so, too.
    }
    // Another order may have been opened meanwhile.
    if (id !== this.#id) return;
    if (explained === undefined) this.#say(text, true);
    else this.#show(explained);
  }

  #show(explained) {
    if (explained !== undefined) this.#say(titleOf(explained.order), false);
    write(byId('explain-seen'), explained === undefined ? '' : seenText(explained.seen));
    write(byId('explain-notes'), explained?.notes.map((note) => `Note: ${note}.`).join(' ') ?? '');
    table(
      byId('explain-steps'),
      (explained?.steps ?? []).map((step, at) => ({ ...step, at })),
      {
        keyOf: ({ at }) => at,
        empty: '',
        columns: [
          { title: 'time', kind: 'word', value: ({ time }) => time.slice(11, 26) },
          {
            title: 'after',
            value: ({ sincePreviousMs }) =>
              sincePreviousMs === null ? '' : `+${sincePreviousMs.toFixed(3)} ms`,
          },
          { title: 'step', kind: 'word', value: ({ step }) => step },
          { title: 'what', kind: 'text', value: ({ text }) => text },
          { title: 'record', value: ({ sequence }) => sequence },
        ],
      },
    );
  }

  #say(text, isBad) {
    write(byId('explain-text'), text);
    mark(byId('explain-text'), 'bad', isBad);
  }
}

function titleOf({ side, quantity, symbol, price, stopPrice, type, state, strategy, run, mode }) {
  const at = price ?? stopPrice;
  const what = side === null ? 'what was asked is not kept' : `${side} ${quantity} ${symbol}, ${type}`;
  return `${what}${at === null ? '' : ` at ${at}`}; ${state}; strategy ${strategy}, run ${run}, ${mode}`;
}

/** What the strategy had before it when it declared the order. */
function seenText(seen) {
  if (seen === null) return '';
  const { mode, after, balances, book } = seen;
  const money = balances.map(
    ({ currency, available, reserved }) => `${currency} ${available} available, ${reserved} reserved`,
  );
  const shown =
    book === null
      ? []
      : [
          `book ${book.status}, ${book.ageMs.toFixed(3)} ms old`,
          `bids ${levels(book.bids)}`,
          `asks ${levels(book.asks)}`,
        ];
  return `Seen by the strategy: trading ${mode}, after ${after}; ${[...money, ...shown].join('; ')}`;
}
