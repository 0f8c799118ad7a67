import { ask } from './connection.js';
import { mark, write } from './tables.js';

const byId = (id) => document.getElementById(id);
/** Commands that are not named as their act is. */
const commands = { startStrategy: 'start', stopStrategy: 'stop', setParams: 'params' };

/** What a person asks the daemon to do. The last answer stands below the buttons. */
export class Acts {
  #tokenOf;
  #runOf;
  /** What is sent when the person says yes. */
  #asked;

  /** Of the token, and of the run that the page shows, as they are when an act is sent. */
  constructor(tokenOf, runOf) {
    this.#tokenOf = tokenOf;
    this.#runOf = runOf;
    byId('pause').addEventListener('click', () => void this.send({ act: 'pause' }));
    byId('resume').addEventListener('click', () => void this.send({ act: 'resume' }));
    byId('clear').addEventListener('click', () => void this.#inTwo({ act: 'clear' }, 'Clear what holds?'));
    byId('halt').addEventListener('click', () =>
      this.confirmed(
        { act: 'halt' },
        'Halt trading?',
        'Own orders are canceled, and nothing else leaves until the halt is cleared. Positions stay.',
      ),
    );
    byId('cancelAll').addEventListener('click', () =>
      this.confirmed(
        { act: 'cancelAll' },
        'Cancel all orders?',
        'The live orders of all strategies, which go on and may place new ones.',
      ),
    );
    byId('flatten').addEventListener('click', () => this.flatten(null));
    byId('reload').addEventListener('click', () =>
      this.confirmed(
        { act: 'reload' },
        'Reload the configuration?',
        'The daemon reads its files again and takes over all that changed, or nothing.',
      ),
    );
    byId('sure-yes').addEventListener('click', () => {
      byId('sure').close();
      void this.#sure(this.#asked);
    });
    byId('sure-no').addEventListener('click', () => byId('sure').close());
  }

  /** Of one strategy, or of all where `strategy` is null. */
  flatten(strategy) {
    this.confirmed(
      { act: 'flatten', strategy },
      strategy === null ? 'Flatten all strategies?' : `Flatten ${strategy}?`,
      'Pauses, cancels orders, and closes positions by orders that take what the book offers within one percent.',
    );
  }

  stop(strategy) {
    this.confirmed(
      { act: 'stopStrategy', strategy },
      `Stop ${strategy}?`,
      'Its orders are canceled and its positions stay. It stays stopped, also over a restart, until it is started.',
    );
  }

  promote(strategy) {
    void this.#inTwo({ act: 'promote', strategy }, `Promote the shadow of ${strategy}?`);
  }

  /** Sends it after a second look. */
  confirmed(body, title, text) {
    const dialog = byId('sure');
    write(byId('sure-title'), title);
    write(byId('sure-text'), text);
    write(byId('sure-yes'), title.replace(/\?$/, ''));
    // What is confirmed is meant for the run of the question, whatever the page shows by then.
    this.#asked = { ...this.#meant(), ...body };
    if (!dialog.open) dialog.showModal();
  }

  /** Never rejects: what went wrong is shown, by `say` or below the buttons. Returns what was answered. */
  async send(body, say = sayBelow) {
    say('sent…', false);
    try {
      const { ok, value } = await ask(this.#tokenOf(), '/api/acts', {
        who: 'dashboard',
        ...this.#meant(),
        ...body,
      });
      say(ok ? value.text : `Refused: ${value.error.message}`, !ok);
      return ok ? value : undefined;
    } catch {
      say(
        `No answer to ${body.act}: it may or may not have been carried out. Look at the state, or use godwit ${commands[body.act] ?? body.act}.`,
        true,
      );
      return undefined;
    }
  }

  /** The answer to the first step says what is at stake. */
  async #inTwo(body, title) {
    this.#second(body, title, await this.send(body));
  }

  /** Sends what was confirmed. A reload that raises limits asks once more. */
  async #sure(body) {
    const answer = await this.send(body);
    this.#second(body, 'Raise these limits?', answer);
  }

  /** Asks for the second step where the answer to the first one wants it. */
  #second(body, title, first) {
    if (first?.confirm === undefined) return;
    const text = first.text.replace(/\. Send the code.*$/, '.');
    this.confirmed({ ...body, confirm: first.confirm }, title, text);
  }

  /** Nothing while no run was seen. */
  #meant() {
    const run = this.#runOf();
    return run === '' ? {} : { run };
  }
}

function sayBelow(text, isBad) {
  write(byId('answer'), text);
  mark(byId('answer'), 'bad', isBad);
}
