import { ParamsForm } from './params.js';
import { gauges, keep, make, mark, table, write, figure } from './tables.js';

const byId = (id) => document.getElementById(id);
const timeOf = (text) => text.slice(11, 19);

/** The state comes four times a second, so that the age of a feed is not known better than that. */
const ageText = (ms) => (ms === null ? '–' : ms < 1_000 ? '< 1 s' : `${Math.round(ms / 1_000)} s`);

/** Rows move while orders come and go: the first press says what the second one does. */
function pressedTwice(button, act) {
  if (button.dataset.sure === 'yes') {
    void act();
    return;
  }
  const text = button.textContent;
  button.dataset.sure = 'yes';
  button.textContent = 'Sure?';
  setTimeout(() => {
    button.dataset.sure = '';
    button.textContent = text;
  }, 3_000);
}

const timeTexts = {
  time: timeOf,
  timeMs: (text) => text.slice(11, 23),
  dateTime: (text) => `${text.slice(0, 10)} ${timeOf(text)}`,
  age: ageText,
};
const alignments = {
  word: 'word',
  flag: 'word',
  time: 'word',
  timeMs: 'word',
  dateTime: 'word',
  text: 'text',
};

/** A field of a row, or of a row within it. */
function fieldOf(row, path) {
  const [outer, inner] = path.split('.');
  return (inner === undefined ? row[outer] : row[outer]?.[inner]) ?? null;
}

const inWords = (value, words) => (words === undefined || value === null ? value : words[value ? 0 : 1]);

/** The text of a cell as its column describes it. */
function cellText(column, row) {
  const { field, or, type, words, with: behind } = column;
  const value = fieldOf(row, field) ?? (or === undefined ? null : fieldOf(row, or));
  if (timeTexts[type] !== undefined) return value === null ? null : timeTexts[type](value);
  const text = inWords(value, words);
  const more = behind === undefined ? null : inWords(fieldOf(row, behind.field), behind.words);
  return more === null || more === '' ? text : `${text}${behind.separator}${more}`;
}

/** The colour of a cell: by its text, its sign, or any other text. */
function toneOfCell({ tones }, text) {
  if (tones === undefined) return undefined;
  return (
    tones[text] ?? (Number(text) > 0 ? tones['+'] : Number(text) < 0 ? tones['-'] : undefined) ?? tones['*']
  );
}

/** A column of a table from a column of a card. */
function columnOf(column, { acts, explanation, showsSymbol }) {
  const { title, type, act, field } = column;
  if (act === 'explain')
    return {
      title,
      kind: 'word',
      button: {
        link: true,
        text: (row) => row.clientOrderId,
        label: (row) => `Explain order ${row.clientOrderId}`,
        press: ({ clientOrderId }) => explanation.open(clientOrderId),
      },
    };
  if (act === 'cancel')
    return {
      title,
      button: {
        act,
        text: () => 'Cancel',
        label: (row) => `Cancel order ${row.clientOrderId}`,
        press: ({ clientOrderId }, button) =>
          pressedTwice(button, () => acts.send({ act: 'cancel', clientOrderId })),
      },
    };
  if (field === 'symbol' || field === 'positions.symbol')
    return {
      title,
      kind: 'word',
      value: (row) => cellText(column, row),
      button: {
        link: true,
        text: (row) => cellText(column, row),
        label: (row) => `Chart of ${cellText(column, row)}`,
        press: (row) => showsSymbol(cellText(column, row)),
      },
    };
  return {
    title,
    kind: alignments[type],
    value: (row) => cellText(column, row),
    tone: (row) => toneOfCell(column, cellText(column, row)),
  };
}

/** Strategies stand among the lists, but are described here. */
const strategiesCard = { name: 'strategies', title: 'Strategies', order: 45 };

/** The chosen list, drawn as the interface describes it; `lists` are the rows by name. */
export function showCards(described, lists, parts) {
  if (described.length === 0) return;
  const cards = [...described, strategiesCard].sort((one, other) => one.order - other.order);
  const { tabs } = parts;
  tabs.follow(
    cards.map((card) => {
      const count = lists[card.name]?.length ?? 0;
      return { name: card.name, title: card.title, count, isShown: card.hides !== true || count > 0 };
    }),
  );
  keep(byId('views'), cards, {
    keyOf: ({ name }) => name,
    create: (card) => ownSection(card) ?? newCard(card),
    update: (section, card) => {
      section.hidden = card.name !== tabs.chosen;
      if (section.hidden) return;
      const rows = lists[card.name] ?? [];
      byId('filter').parentElement.hidden = card.columns === undefined || card.kind === 'gauges';
      if (card === strategiesCard) showStrategies(lists, parts);
      else if (card.kind === 'gauges') showGauges(card, rows);
      else showTable(section, card, { rows, parts });
    },
  });
}

function ownSection({ name }) {
  const section = byId(`${name}-section`);
  if (section !== null) asPanel(section, name);
  return section;
}

function asPanel(section, name) {
  section.role = 'tabpanel';
  section.setAttribute('aria-labelledby', `${name}-title`);
}

function newCard({ name, kind }) {
  const section = make('section');
  section.id = `${name}-section`;
  asPanel(section, name);
  const list = make(kind === 'gauges' ? 'div' : 'table', kind === 'gauges' ? kind : undefined);
  list.id = name;
  if (kind === 'gauges') {
    const more = make('p', 'pick');
    more.id = `${name}-more`;
    section.append(list, more);
    return section;
  }
  const box = make('div', 'scroll long');
  box.tabIndex = 0;
  box.role = 'region';
  box.setAttribute('aria-labelledby', `${name}-title`);
  box.append(list);
  section.append(box);
  return section;
}

function showTable(section, card, { rows, parts }) {
  const { each, rowsMax, key, empty } = card;
  section.columns ??= card.columns.map((column) => columnOf(column, parts));
  const shown = rowsMax === undefined ? rows : rows.slice(0, rowsMax);
  // A row without any row within it has a line of its own.
  const lines =
    each === undefined
      ? shown
      : shown.flatMap((row) =>
          row[each].length === 0
            ? [{ ...row, [each]: undefined }]
            : row[each].map((inner) => ({ ...row, [each]: inner })),
        );
  const fields = key.split(' ');
  const wanted = byId('filter').value.trim().toLowerCase();
  const texts = (row) => section.columns.map(({ value, button }) => value?.(row) ?? button?.text(row) ?? '');
  const found =
    wanted === '' ? lines : lines.filter((row) => texts(row).join(' ').toLowerCase().includes(wanted));
  table(byId(card.name), found, {
    keyOf: (row) => JSON.stringify(fields.map((field) => fieldOf(row, field))),
    empty: wanted === '' ? empty : 'no row has this text',
    columns: section.columns,
  });
}

/** Bars that are drawn at most: those that are used most, in the order in which they came. */
const gaugesMax = 24;

/** Columns of a card of bars are the name, what is used, the limit, and a unit or what waits. */
function showGauges({ name: list, command, columns }, rows) {
  const [name, used, limit, note] = columns;
  const share = (row) => Number(row[used.field]) / Number(row[limit.field]);
  const most = new Set(
    rows.length <= gaugesMax ? rows : rows.toSorted((a, b) => share(b) - share(a)).slice(0, gaugesMax),
  );
  const more = byId(`${list}-more`);
  more.hidden = most.size === rows.length;
  write(more, `${rows.length - most.size} more are used less. godwit ${command} lists all.`);
  gauges(
    byId(list),
    rows
      .filter((row) => most.has(row))
      .map((row) => {
        const [count, bound] = [Number(row[used.field]), Number(row[limit.field])];
        return {
          key: cellText(name, row),
          name: cellText(name, row),
          used: count,
          limit: bound,
          text: `${figure(count)} of ${figure(bound)}${noteText(note, row)}; ${figure(Math.max(0, bound - count))} left`,
        };
      }),
  );
}

/** A number is what waits, a word the unit. */
function noteText(note, row) {
  const value = note === undefined ? null : fieldOf(row, note.field);
  if (typeof value === 'number') return value === 0 ? '' : `, ${value} ${note.title}`;
  return value === null ? '' : ` ${value}`;
}

/** Symbols of a strategy that are named. */
const symbolsMax = 12;

function showStrategies({ status }, parts) {
  keep(byId('strategies'), status.strategies, {
    keyOf: ({ name }) => name,
    create: ({ name }) => newStrategy(name, parts),
    update: (box, { state, why, off, symbols, params, fills, profit, shadow }) => {
      const [, text, beside, buttons, details] = box.children;
      showActs(buttons, { state, shadow });
      const [live, inShadow] = beside.children;
      write(live, `Live: ${cameText({ fills, profit })}`);
      inShadow.hidden = shadow === null;
      write(inShadow, shadow === null ? '' : shadowText(shadow));
      mark(inShadow, 'bad', shadow?.state === 'stopped');
      write(
        text,
        [`${stateOf(state, status.trading.holds)}${why === '' ? '' : `: ${why}`}`, symbolsText(symbols)]
          .filter((one) => one !== '')
          .join('; '),
      );
      mark(text, 'bad', state === 'stopped' && !off);
      if (details.open) details.form.follow(status.run, params);
    },
  });
}

/** Acts that a strategy in a state does not take; whatever its state, one without a shadow has nothing to promote. */
const idleActs = {
  running: ['startStrategy', 'resume'],
  paused: ['startStrategy', 'pause'],
  stopped: ['stopStrategy', 'pause', 'resume'],
  starting: ['startStrategy', 'resume'],
};

/** The buttons that do something now. One that had the focus and goes gives it to the first that stays. */
function showActs(buttons, { state, shadow }) {
  const hadFocus = buttons.contains(document.activeElement);
  for (const button of buttons.children) {
    const { act } = button.dataset;
    button.hidden = idleActs[state].includes(act) || (act === 'promote' && shadow === null);
  }
  if (hadFocus && document.activeElement.hidden)
    [...buttons.children].find(({ hidden, disabled }) => !hidden && !disabled)?.focus();
}

/** A strategy that runs while nobody may trade sends nothing: the banner and its line say the same. */
function stateOf(state, mode) {
  return state === 'running' && mode !== 'active' ? `running, but trading is ${mode}` : state;
}

function symbolsText(symbols) {
  const more = symbols.length - symbolsMax;
  return `${symbols.slice(0, symbolsMax).join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function cameText({ fills, profit }) {
  const sums = Object.entries(profit).map(([currency, sum]) => `${figure(sum, 5)} ${currency}`);
  return `${fills} ${fills === 1 ? 'fill' : 'fills'}, profit ${sums.join(', ') || 'none'}`;
}

function shadowText(shadow) {
  const state = `${shadow.state}${shadow.why === '' ? '' : `, ${shadow.why}`}`;
  return `Shadow ${state}: ${cameText(shadow)}`;
}

function newStrategy(name, parts) {
  const { acts } = parts;
  const box = make('div', 'strategy');
  const buttons = make('div', 'acts');
  for (const { dataset, textContent } of byId('strategy-acts').content.children) {
    const button = make('button', undefined, textContent);
    button.type = 'button';
    button.ariaLabel = `${textContent} ${name}`;
    button.dataset.act = dataset.act;
    button.addEventListener('click', () => acts.press(dataset, name));
    buttons.append(button);
  }
  const details = make('details');
  details.form = new ParamsForm(name, parts);
  details.append(make('summary', undefined, 'Parameters'), details.form.element);
  const beside = make('div', 'beside');
  beside.append(make('p'), make('p'));
  box.append(make('h3', undefined, name), make('p'), beside, buttons, details);
  return box;
}

/** A list of choices that keeps what was chosen. */
export function showChoices(select, names) {
  keep(select, names, {
    keyOf: (name) => name,
    create: (name) => {
      const option = make('option', undefined, name);
      option.value = name;
      return option;
    },
    update: () => {},
  });
}
