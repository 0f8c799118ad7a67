import { ParamsForm } from './params.js';
import { gauges, keep, make, mark, table, write } from './tables.js';

const byId = (id) => document.getElementById(id);
const timeOf = (text) => text.slice(11, 19);
const toneOf = (text) => (Number(text) > 0 ? 'good' : Number(text) < 0 ? 'bad' : undefined);
const sideTone = ({ side }) => (side === 'buy' ? 'good' : 'bad');
const money = (value) => value.toLocaleString('en-US', { maximumSignificantDigits: 5 });
const figure = (value) => value.toLocaleString('en-US', { maximumSignificantDigits: 7 });

/** The state comes four times a second, so that the age of a feed is not known better than that. */
const ageText = (ms) => (ms === null ? '–' : ms < 1_000 ? '< 1 s' : `${Math.round(ms / 1_000)} s`);

const word = (title, value) => ({ title, value, kind: 'word' });
const number = (title, value, tone) => ({ title, value, tone });
const side = { title: 'side', value: (row) => row.side, kind: 'word', tone: sideTone };
const strategy = word('strategy', (row) => row.strategy);
const symbol = word('symbol', (row) => row.symbol);

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
  const { trading, sessions, orders, drift } = status;
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

export function showOrders({ orders }, acts, explanation) {
  table(byId('orders'), orders, {
    keyOf: (row) => row.clientOrderId,
    empty: 'no orders that may be live',
    columns: [
      word('placed', (row) => timeOf(row.createdAt)),
      strategy,
      symbol,
      side,
      word('type', (row) => row.type),
      number('price', (row) => row.price ?? row.stopPrice),
      number('quantity', (row) => row.quantity),
      number('executed', (row) => row.executed),
      word('state', (row) => (row.cancelPending ? `${row.state}, cancel sent` : row.state)),
      explained(explanation),
      {
        title: '',
        button: {
          text: () => 'Cancel',
          label: (row) => `Cancel order ${row.clientOrderId}`,
          press: ({ clientOrderId }, button) =>
            pressedTwice(button, () => acts.send({ act: 'cancel', clientOrderId })),
        },
      },
    ],
  });
}

/** The id of an order, which opens what is known of it. */
function explained(explanation) {
  return {
    title: 'client id',
    kind: 'word',
    button: {
      link: true,
      text: (row) => row.clientOrderId,
      label: (row) => `Explain order ${row.clientOrderId}`,
      press: ({ clientOrderId }) => explanation.open(clientOrderId),
    },
  };
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

export function showPositions({ positions }) {
  table(byId('positions'), positions, {
    keyOf: (row) => JSON.stringify([row.strategy, row.symbol, row.account]),
    empty: 'nothing is held',
    columns: [
      strategy,
      symbol,
      word('account', (row) => row.account),
      number('quantity', (row) => row.quantity),
      number('average price', (row) => row.averagePrice),
      number('price', (row) => row.price),
      number(
        'realised',
        (row) => row.realized,
        (row) => toneOf(row.realized),
      ),
      number(
        'unrealised',
        (row) => row.unrealized,
        (row) => toneOf(row.unrealized ?? '0'),
      ),
      number('fees', (row) => `${row.fees} ${row.feeCurrency}`),
      number('charges', (row) => row.charges),
      word('currency', (row) => row.currency),
    ],
  });
}

/** Margin accounts, each beside its positions; the section is there while one is open. */
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

export function showMargin({ margin }) {
  byId('margin-section').hidden = margin.length === 0;
  const rows = margin.flatMap((account) =>
    account.positions.length === 0
      ? [{ account, position: undefined }]
      : account.positions.map((position) => ({ account, position })),
  );
  table(byId('margin'), rows, {
    keyOf: ({ account, position }) =>
      JSON.stringify([account.product, account.mode, account.symbol, account.currency, position?.symbol]),
    empty: 'no margin accounts',
    columns: [
      word('account', ({ account }) => `${account.product}, ${account.mode}`),
      word('symbol', ({ account, position }) => position?.symbol ?? account.symbol ?? '–'),
      {
        title: 'state',
        kind: 'word',
        value: ({ account }) => (account.called ? 'margin call' : account.changing ? 'changing' : 'open'),
        tone: ({ account }) => (account.called ? 'bad' : undefined),
      },
      number('margin', ({ account }) => `${account.balance} ${account.currency}`),
      number('leverage', ({ account, position }) => position?.leverage ?? account.leverage),
      number('quantity', ({ position }) => position?.quantity ?? null),
      number('entry', ({ position }) => position?.entry ?? null),
      number('price', ({ position }) => position?.price ?? null),
      number('margin call at', ({ position }) => position?.marginCallPrice ?? null),
      number('liquidation at', ({ position }) => position?.liquidationPrice ?? null),
    ],
  });
}

const cellOf = (field, type) => (row) =>
  type === 'time' && row[field] !== null ? timeOf(row[field]) : row[field];
const kinds = { time: 'word', text: 'text' };

/** A card for each list that the interface describes; it is there while the list has rows. */
export function showViews({ views }, cards) {
  keep(byId('views'), cards, {
    keyOf: ({ name }) => name,
    create: ({ name, title }) => {
      const section = make('section');
      const box = make('div', 'scroll long');
      box.tabIndex = 0;
      box.role = 'region';
      box.ariaLabel = title;
      const list = make('table');
      list.id = name;
      box.append(list);
      section.append(make('h2', undefined, title), box);
      return section;
    },
    update: (section, { name, empty, key, columns }) => {
      const rows = views[name] ?? [];
      section.hidden = rows.length === 0;
      table(section.querySelector('table'), rows, {
        keyOf: (row) => row[key],
        empty,
        columns: columns.map(({ field, title, type }) => ({
          title,
          kind: kinds[type],
          value: cellOf(field, type),
        })),
      });
    },
  });
}

export function showFills(fills, explanation) {
  table(byId('fills'), fills.slice(0, 100), {
    keyOf: (row) => JSON.stringify([row.symbol, row.tradeId, row.clientOrderId]),
    empty: 'no fills in this run',
    columns: [
      word('time', (row) => timeOf(row.time)),
      strategy,
      symbol,
      side,
      number('quantity', (row) => row.quantity),
      number('price', (row) => row.price),
      number('fee', (row) => `${row.fee} ${row.feeCurrency}`),
      word('', (row) => (row.taker ? 'taker' : 'maker')),
      explained(explanation),
    ],
  });
}

export function showFeeds(feeds) {
  table(byId('feeds'), feeds, {
    keyOf: (row) => row.symbol,
    empty: 'no feeds',
    columns: [
      symbol,
      {
        title: 'status',
        kind: 'word',
        value: (row) => (row.reason === null ? row.status : `${row.status}: ${row.reason}`),
        tone: (row) => (row.status === 'live' && row.reason === null ? 'good' : 'bad'),
      },
      number('bid', (row) => row.bid),
      number('ask', (row) => row.ask),
      number('age', (row) => ageText(row.ageMs)),
      number(
        'gaps',
        (row) => row.gaps,
        (row) => (row.gaps > 0 ? 'bad' : undefined),
      ),
      number('sequence', (row) => row.sequence),
    ],
  });
}

/** What the controls refused in this run. */
export function showControls({ controls }) {
  table(byId('controls'), controls, {
    keyOf: (row) => row.code,
    empty: 'nothing was refused',
    columns: [
      word('code', (row) => row.code),
      number('refused', (row) => row.denied),
      word('last', (row) => timeOf(row.time)),
      strategy,
      { title: 'why', value: (row) => row.why, kind: 'text' },
    ],
  });
}

export function showBalances(balances) {
  table(byId('balances'), balances, {
    keyOf: (row) => JSON.stringify([row.wallet, row.account, row.currency]),
    empty: 'no balances',
    columns: [
      word('wallet', (row) => row.account ?? row.wallet),
      word('currency', (row) => row.currency),
      number('available', (row) => row.available),
      number('reserved', (row) => row.reserved),
    ],
  });
}

export function showAlerts(alerts) {
  table(byId('alerts'), alerts, {
    keyOf: (row) => row.key,
    empty: 'no alerts',
    columns: [
      word('time', (row) => `${row.time.slice(0, 10)} ${timeOf(row.time)}`),
      { title: 'alert', value: (row) => row.text, kind: 'text' },
    ],
  });
}

/** Limits that are drawn at most: those that are used most, in the order in which they came. */
const limitsMax = 24;

export function showGauges({ budgets, limits }) {
  const share = ({ used, limit }) => Number(used) / Number(limit);
  const most = new Set(
    limits.length <= limitsMax ? limits : limits.toSorted((a, b) => share(b) - share(a)).slice(0, limitsMax),
  );
  const more = byId('limits-more');
  more.hidden = most.size === limits.length;
  write(more, `${limits.length - most.size} more limits are used less. godwit limits lists all.`);

  gauges(
    byId('budgets'),
    budgets.map(({ lane, used, capacity, waiting }) => ({
      key: lane,
      name: lane,
      used,
      limit: capacity,
      text: `${figure(used)} of ${figure(capacity)}${waiting === 0 ? '' : `, ${waiting} waiting`}`,
    })),
  );
  gauges(
    byId('limits'),
    limits
      .filter((one) => most.has(one))
      .map(({ name, of, used, limit, unit }) => ({
        key: JSON.stringify([name, of]),
        name: `${name}, ${of}`,
        used: Number(used),
        limit: Number(limit),
        text: `${used} of ${limit} ${unit}; ${figure(Math.max(0, Number(limit) - Number(used)))} left`,
      })),
  );
}

/** Symbols of a strategy that are named. */
const symbolsMax = 12;

export function showStrategies({ status }, parts) {
  keep(byId('strategies'), status.strategies, {
    keyOf: ({ name }) => name,
    create: ({ name }) => newStrategy(name, parts),
    update: (box, { state, why, symbols, params, fills, profit, shadow }) => {
      const [, text, beside, buttons, details] = box.children;
      buttons.lastElementChild.hidden = shadow === null;
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
  const add = (text, press) => {
    const button = make('button', undefined, text);
    button.type = 'button';
    button.ariaLabel = `${text} ${name}`;
    button.addEventListener('click', press);
    buttons.append(button);
  };
  add('Start', () => acts.send({ act: 'startStrategy', strategy: name }));
  add('Stop', () => acts.stop(name));
  add('Pause', () => acts.send({ act: 'pause', strategy: name }));
  add('Resume', () => acts.send({ act: 'resume', strategy: name }));
  add('Flatten', () => acts.flatten(name));
  add('Promote shadow', () => acts.promote(name));
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
