import { ParamsForm } from './params.js';
import { gauges, keep, make, mark, table, write } from './tables.js';

const byId = (id) => document.getElementById(id);
const timeOf = (text) => text.slice(11, 19);
const toneOf = (text) => (Number(text) > 0 ? 'good' : Number(text) < 0 ? 'bad' : undefined);
const money = (value) => value.toLocaleString('en-US', { maximumSignificantDigits: 5 });
const figure = (value) => value.toLocaleString('en-US', { maximumSignificantDigits: 7 });

/** The state comes four times a second, so that the age of a feed is not known better than that. */
const ageText = (ms) => (ms === null ? '–' : ms < 1_000 ? '< 1 s' : `${Math.round(ms / 1_000)} s`);

const word = (title, value) => ({ title, value, kind: 'word' });
const number = (title, value, tone) => ({ title, value, tone });

export function showRun({ status }) {
  write(
    byId('run'),
    `${status.run}, ${status.mode}, at ${status.venue}${status.account === null ? '' : `, account ${status.account}`}`,
  );
  const { mode, why } = status.trading;
  const reached = status.lossLimits.map((latch) => latch.why);
  const text = [...(mode === 'active' ? [] : [`Trading is ${mode}: ${why}`]), ...reached].join('; ');
  write(byId('trading'), text);
  mark(byId('trading'), 'warning', text !== '');
}

export function showTiles({ status, profits, drawdowns }) {
  const { trading, sessions, orders, drift, sentinel } = status;
  const up = (isUp) => (isUp ? 'up' : 'down');
  const lag = status.marketLagMs;
  const rows = [
    ['Trading', trading.mode, trading.mode === 'active' ? 'good' : 'bad'],
    ['Market session', up(sessions.market), sessions.market ? 'good' : 'bad'],
    ['Trading session', up(sessions.trading), sessions.trading ? 'good' : 'bad'],
    ['Account', status.started ? 'compared' : 'not compared yet', status.started ? 'good' : 'bad'],
    ['Orders open', `${orders.open}`],
    ['Orders unknown', `${orders.unknown}`, orders.unknown > 0 ? 'bad' : undefined],
    ['In flight', `${orders.inFlight}`],
    ['Market lag', lag === null ? '–' : `${lag} ms`],
    ...(sentinel === null
      ? []
      : [
          [
            'Sentinel',
            sentinel.up ? sentinel.stage : 'down',
            sentinel.up && sentinel.trouble === '' && sentinel.stage === 'watches' ? 'good' : 'bad',
          ],
        ]),
    ...(drift === null
      ? []
      : [
          [
            'Drift',
            `${drift.score ?? '–'}`,
            drift.why !== '' || drift.score > drift.limit ? 'bad' : undefined,
          ],
        ]),
    ...Object.entries(profits).map(([currency, value]) => [
      `Profit, ${currency}`,
      money(value),
      toneOf(value),
    ]),
    ...Object.entries(drawdowns).map(([currency, value]) => [`Drawdown, ${currency}`, money(value)]),
  ];
  keep(byId('tiles'), rows, {
    keyOf: ([name]) => name,
    create: () => {
      const tile = make('div', 'tile');
      tile.append(make('span'), make('b'));
      return tile;
    },
    update: (tile, [name, value, tone]) => {
      write(tile.children[0], name);
      write(tile.children[1], value);
      mark(tile.children[1], 'good', tone === 'good');
      mark(tile.children[1], 'bad', tone === 'bad');
    },
  });
}

const levelsShown = 12;

/** Both sides, asks above bids, with the quantity of own orders at each price. */
export function showBook({ book, orders }) {
  const own = new Map();
  for (const order of orders) {
    if (order.symbol !== book?.symbol || order.price === null) continue;
    const left = Number(order.quantity) - Number(order.executed);
    own.set(`${order.side} ${order.price}`, (own.get(`${order.side} ${order.price}`) ?? 0) + left);
  }
  const level =
    (which) =>
    ([price, quantity]) => ({
      which,
      price,
      quantity,
      own: own.get(`${which} ${price}`),
    });
  const asks = (book?.asks ?? []).slice(0, levelsShown).reverse().map(level('sell'));
  const bids = (book?.bids ?? []).slice(0, levelsShown).map(level('buy'));
  const ownTone = (row) => (row.own === undefined ? undefined : 'own');
  table(byId('book'), [...asks, ...bids], {
    keyOf: ({ which, price }) => `${which} ${price}`,
    empty: 'no book yet',
    columns: [
      { title: 'side', value: ({ which }) => (which === 'buy' ? 'bid' : 'ask'), kind: 'word' },
      number(
        'price',
        (row) => row.price,
        (row) => (row.which === 'buy' ? 'good' : 'bad'),
      ),
      number('quantity', (row) => row.quantity),
      number('own', (row) => (row.own === undefined ? '' : figure(row.own)), ownTone),
    ],
  });
}

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

/** What keeps orders from leaving, or feeds from being heard; the section is there while there is any. */
export function showHeld({ status }) {
  const { safeStates } = status;
  byId('held-section').hidden = safeStates.length === 0;
  table(byId('held'), safeStates, {
    keyOf: ({ kind, subject, cause }) => JSON.stringify([kind, subject, cause]),
    empty: 'nothing is held back',
    columns: [
      word('since', ({ since }) => (since === null ? '–' : timeOf(since))),
      {
        title: 'cause',
        kind: 'word',
        value: ({ cause }) => cause,
        tone: ({ needsOperator }) => (needsOperator ? 'bad' : undefined),
      },
      word('code', ({ code }) => code ?? '–'),
      word('until', ({ endsWhen }) => endsWhen),
      word('next look', ({ nextLook }) => (nextLook === null ? '–' : timeOf(nextLook))),
    ],
  });
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
function columnOf(column, { acts, explanation }) {
  const { title, type, act } = column;
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
  return {
    title,
    kind: alignments[type],
    value: (row) => cellText(column, row),
    tone: (row) => toneOfCell(column, cellText(column, row)),
  };
}

/** The card of each list, as the interface describes it; `lists` are the rows by name. */
export function showCards(cards, lists, parts) {
  keep(byId('views'), cards, {
    keyOf: ({ name }) => name,
    create: (card) => byId(`${card.name}-section`) ?? newCard(card),
    update: (section, card) => {
      const rows = lists[card.name] ?? [];
      section.hidden = card.hides === true && rows.length === 0;
      if (card.kind === 'gauges') showGauges(card, rows);
      else showTable(section, card, { rows, parts });
    },
  });
}

function newCard({ name, title, kind }) {
  const section = make('section', kind === 'gauges' ? 'bars' : undefined);
  section.id = `${name}-section`;
  const heading = make('h2', undefined, title);
  heading.id = `${name}-title`;
  section.setAttribute('aria-labelledby', heading.id);
  section.append(heading);
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
  box.setAttribute('aria-labelledby', heading.id);
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
  table(byId(card.name), lines, {
    keyOf: (row) => JSON.stringify(fields.map((field) => fieldOf(row, field))),
    empty,
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

export function showStrategies({ status }, parts) {
  keep(byId('strategies'), status.strategies, {
    keyOf: ({ name }) => name,
    create: ({ name }) => newStrategy(name, parts),
    update: (box, { state, why, symbols, params, fills, profit, shadow }) => {
      const [, text, beside, buttons, details] = box.children;
      buttons.querySelector('[data-act="promote"]').hidden = shadow === null;
      write(beside, shadow === null ? '' : shadowText(shadow, { fills, profit }));
      mark(beside, 'bad', shadow?.state === 'stopped');
      write(
        text,
        [`${state}${why === '' ? '' : `: ${why}`}`, symbolsText(symbols)]
          .filter((one) => one !== '')
          .join('; '),
      );
      mark(text, 'bad', state === 'stopped');
      if (details.open) details.form.follow(status.run, params);
    },
  });
}

function symbolsText(symbols) {
  const more = symbols.length - symbolsMax;
  return `${symbols.slice(0, symbolsMax).join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function shadowText(shadow, live) {
  const came = ({ fills, profit }) => {
    const sums = Object.entries(profit).map(([currency, sum]) => `${figure(sum)} ${currency}`);
    return `${fills} fills, profit ${sums.join(', ') || 'none'}`;
  };
  const state = `${shadow.state}${shadow.why === '' ? '' : `: ${shadow.why}`}`;
  return `Shadow ${state}; ${came(shadow)}; live ${came(live)}`;
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
  box.append(make('h3', undefined, name), make('p'), make('p'), buttons, details);
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
