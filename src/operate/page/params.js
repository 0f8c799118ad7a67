import { ask } from './connection.js';
import { keep, make, mark, write } from './tables.js';

/** How the daemon shows a value that it does not tell. It is never sent. */
const secret = '[secret]';
const textOf = (value) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
/** Fields made so far: labels and descriptions name their field by it. */
let made = 0;

/** The parameters of one strategy, to be changed. The daemon alone judges what it is sent, and says why it refuses. */
export class ParamsForm {
  element = make('form', 'params');
  #strategy;
  #parts;
  #fields = make('div');
  #answer = make('p');
  /** What was read: of which run, and its values as live state had them. */
  #run = '';
  #seen = '';
  #values = {};
  #schemas = {};

  /** The parts are `acts` and `tokenOf`. */
  constructor(strategy, parts) {
    this.#strategy = strategy;
    this.#parts = parts;
    const button = make('button', undefined, 'Apply');
    button.dataset.act = 'setParams';
    button.ariaLabel = `Apply the parameters of ${strategy}`;
    this.#answer.role = 'status';
    // Limits stand at the fields for who types; a value beyond them gets the sentence of the daemon.
    this.element.noValidate = true;
    this.element.append(this.#fields, button, this.#answer);
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#apply();
    });
  }

  /** Reads again what has changed since it was read: `params` are those of live state. */
  follow(run, params) {
    const seen = JSON.stringify(params);
    if (run === this.#run && seen === this.#seen) return;
    // What was typed was meant for the run that the page showed then.
    if (run !== this.#run) this.#forget();
    this.#run = run;
    this.#seen = seen;
    void this.#read();
  }

  async #read() {
    const run = this.#run;
    try {
      const { ok, value } = await ask(this.#parts.tokenOf(), '/api/strategies');
      if (run !== this.#run) return;
      const row = ok ? value.find(({ name }) => name === this.#strategy) : undefined;
      if (row === undefined) this.#say(ok ? 'The run has no such strategy.' : value.error.message, true);
      else this.#show(row);
    } catch {
      // Live state notices a daemon that is gone; what it tells next is read again.
      this.#seen = '';
    }
  }

  #show({ params, schema }) {
    this.#values = params;
    this.#schemas = { ...schema.properties };
    const rows = Object.entries(this.#schemas).map(([name, of]) => ({ name, of, value: params[name] }));
    keep(this.#fields, rows, {
      keyOf: ({ name, of }) => JSON.stringify([name, of]),
      create: newField,
      update: (field, { of, value }) => {
        const { control } = field;
        if (field.dataset.typed !== 'yes') fill(control, value);
        const isDefault = textOf(value) === textOf(of.default);
        write(field.running, value === undefined ? 'nothing' : textOf(value));
        mark(field.running, 'other', 'default' in of && !isDefault);
        control.disabled = isSecret(value);
      },
    });
    if (rows.length === 0) this.#say('This strategy has no parameters.', false);
  }

  async #apply() {
    this.#blame(undefined);
    const params = {};
    for (const { dataset, control } of this.#fields.children) {
      const { name } = control;
      if (dataset.typed !== 'yes' || control.disabled) continue;
      const value = valueOf(control, this.#schemas[name], this.#values[name]);
      if (JSON.stringify(value) !== JSON.stringify(this.#values[name])) params[name] = value;
    }
    if (Object.keys(params).length === 0) return this.#say('Nothing is changed.', false);
    const body = { act: 'setParams', strategy: this.#strategy, params, run: this.#run };
    const say = (text, isBad) => this.#sayOf(text, isBad);
    const done = await this.#parts.acts.send(body, { command: 'params', say });
    if (done === undefined) return;
    this.#forget();
    void this.#read();
  }

  #forget() {
    for (const { dataset } of this.#fields.children) dataset.typed = '';
    this.#blame(undefined);
  }

  /** A sentence about one parameter stands at its field, any other below the button. */
  #sayOf(text, isBad) {
    const start = `Refused: strategy ${this.#strategy}: param `;
    const [name, ...rest] = isBad && text.startsWith(start) ? text.slice(start.length).split(': ') : [];
    const field = [...this.#fields.children].find(({ control }) => control.name === name?.split('.')[0]);
    this.#blame(field, rest.join(': '));
    this.#say(field === undefined ? text : 'Refused: nothing was changed.', isBad);
  }

  /** The one field that is wrong has the focus, and says why. */
  #blame(wrong, why) {
    for (const field of this.#fields.children) {
      const { control, fault } = field;
      control.ariaInvalid = field === wrong ? 'true' : null;
      fault.hidden = field !== wrong;
      write(fault, field === wrong ? why : '');
    }
    wrong?.control.focus();
  }

  #say(text, isBad) {
    write(this.#answer, text);
    mark(this.#answer, 'bad', isBad);
  }
}

/** A parameter: its name, what it is set to, why that is wrong, what runs and what it is by default, and what it means. */
function newField({ name, of, value }) {
  const field = make('div', 'param');
  const control = controlOf(of, value);
  const id = `param-${(made += 1)}`;
  const label = make('label', undefined, name);
  const fault = make('p', 'bad');
  const known = make('p', 'known');
  const running = make('b');
  const hint = make('small', undefined, hintOf(of));
  Object.assign(control, { id, name, autocomplete: 'off' });
  Object.assign(field, { control, fault, running });
  label.htmlFor = id;
  fault.id = `${id}-fault`;
  fault.hidden = true;
  known.id = `${id}-known`;
  hint.id = `${id}-hint`;
  control.setAttribute('aria-describedby', `${fault.id} ${known.id} ${hint.id}`);
  known.append('running ', running, ' ');
  if ('default' in of) known.append('default ', defaultButton(field, of.default));
  else if (!isSecret(value)) known.append('no default');
  control.addEventListener('input', () => {
    field.dataset.typed = 'yes';
  });
  field.append(label, control, fault, known, hint);
  return field;
}

/** The default, which a press puts into the field. */
function defaultButton({ control }, value) {
  const button = make('button', 'link', textOf(value) === '' ? '""' : textOf(value));
  button.type = 'button';
  button.ariaLabel = `Set ${control.name} to its default ${textOf(value)}`;
  button.addEventListener('click', () => {
    fill(control, value);
    control.dispatchEvent(new Event('input', { bubbles: true }));
    control.focus();
  });
  return button;
}

function controlOf(of, value) {
  if (Array.isArray(of.enum) && value !== secret) {
    const select = make('select');
    // What has no value yet keeps none unless one is chosen.
    for (const text of [...(value === undefined ? [''] : []), ...of.enum.map(textOf)])
      select.append(new Option(text, text));
    return select;
  }
  const input = make('input');
  if (value === secret) input.type = 'text';
  else if (of.type === 'boolean') input.type = 'checkbox';
  else if (isNumber(of)) {
    input.type = 'number';
    input.step = of.type === 'integer' ? '1' : 'any';
    const [least, most] = [realLimit(of.minimum), realLimit(of.maximum)];
    if (least !== undefined) input.min = least;
    if (most !== undefined) input.max = most;
  } else input.type = 'text';
  return input;
}

/** Whether a value is one that the daemon does not tell, or has one deep in it. */
const isSecret = (value) => value !== undefined && JSON.stringify(value).includes(JSON.stringify(secret));

function fill(control, value) {
  if (control.type === 'checkbox') control.checked = value === true;
  else control.value = textOf(value);
}

/** What is in a field, in the type of its parameter; as text where it is not of that type, so that the daemon says so. */
function valueOf(control, of, before) {
  const { type, value } = control;
  if (type === 'checkbox') return control.checked;
  if (Array.isArray(of.enum)) return of.enum.find((one) => textOf(one) === value);
  if (type === 'number') return value === '' ? null : Number(value);
  if (value === '' && before === undefined) return undefined;
  if (of.type === 'string' || (of.type === undefined && typeof before === 'string')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const isNumber = ({ type }) => type === 'number' || type === 'integer';

/** A limit that every whole number of the language keeps is none. */
const realLimit = (limit) => (Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined);

function hintOf(of) {
  const limits = [
    ['from', of.minimum],
    ['above', of.exclusiveMinimum],
    ['to', of.maximum],
    ['below', of.exclusiveMaximum],
  ].flatMap(([word, limit]) => (realLimit(limit) === undefined ? [] : `${word} ${limit}`));
  return [of.description, limits.join(' ')].filter((one) => one !== undefined && one !== '').join('; ');
}
