import { ask } from './connection.js';
import { mark, write } from './tables.js';

const byId = (id) => document.getElementById(id);

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
    for (const button of document.querySelectorAll('button[data-act]'))
      button.addEventListener('click', () => this.press(button.dataset));
    byId('sure-yes').addEventListener('click', () => {
      byId('sure').close();
      const { body, about } = this.#asked;
      void this.#inTwo(body, about);
    });
    byId('sure-no').addEventListener('click', () => byId('sure').close());
  }

  /** Carries out what a button is for, of one strategy or of all; the server made the button of its act. */
  press({ act, command, question = '', explains, second }, strategy) {
    const body = strategy === undefined ? { act } : { act, strategy };
    const title = question.replace('NAME', () => strategy);
    const about = { command, second: second ?? title };
    if (explains !== undefined) this.#confirmed(body, { title, text: explains, ...about });
    else void this.#inTwo(body, about);
  }

  /** Sends it after a second look. */
  #confirmed(body, { title, text, ...about }) {
    const dialog = byId('sure');
    write(byId('sure-title'), title);
    write(byId('sure-text'), text);
    write(byId('sure-yes'), title.replace(/\?$/, ''));
    // What is confirmed is meant for the run of the question, whatever the page shows by then.
    this.#asked = { body: { ...this.#meant(), ...body }, about };
    if (!dialog.open) dialog.showModal();
  }

  /** Never rejects: what went wrong is shown, by `say` or below the buttons. Returns what was answered. */
  async send(body, { command = body.act, say = sayBelow } = {}) {
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
        `No answer to ${body.act}: it may or may not have been carried out. Look at the state, or use godwit ${command}.`,
        true,
      );
      return undefined;
    }
  }

  /** Sends it, and asks for the second step where the answer wants one: it says what is at stake. */
  async #inTwo(body, about) {
    const first = await this.send(body, about);
    if (first?.confirm === undefined) return;
    const text = first.text.replace(/\. Send the code.*$/, '.');
    this.#confirmed({ ...body, confirm: first.confirm }, { title: about.second, text, ...about });
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
