import { cut, figure, keep, make, mark, write } from './tables.js';

const byId = (id) => document.getElementById(id);
const timeOf = (text) => text.slice(11, 16);
/** Cents of large sums, and four digits of small ones: the rest stands in the title. */
const money = (value) => figure(Number(value), Math.abs(value) >= 1e6 ? 9 : Math.abs(value) >= 1 ? 7 : 4);
const signed = (value) => (Number(value) > 0 ? `+${money(value)}` : money(value));
const percent = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const svgSpace = 'http://www.w3.org/2000/svg';

/** Whether the state line tells a safe state whole. */
const isToldAbove = ({ kind, subject }) =>
  kind === 'halted' || kind === 'reducing' || (kind === 'lossLimit' && subject === 'account');
/** Whether a safe state is what an operator asked for, so that nothing is wrong. */
const isAskedFor = ({ kind, subject }, strategies) =>
  kind === 'paused' ||
  (kind === 'strategyStopped' && strategies.some(({ name, off }) => off && name === subject));
/** Items that are shown; the lists have all. Of the alerts the newest, and that alone beside other items. */
const itemsMax = 6;
const alertsMax = 3;
/** Positions that are told in full. */
const heldMax = 3;
/** Points of the small curve. */
const curvePoints = 120;

/** What the daemon does, in one sentence, for who comes at night. */
export function showState({ status }) {
  write(
    byId('run'),
    `${status.run}, ${status.mode}, at ${status.venue}${status.account === null ? '' : `, account ${status.account}`}`,
  );
  const mode = status.trading.holds;
  write(byId('trading'), stateText(status));
  mark(byId('trading'), 'stopped', mode === 'halted');
  mark(document.body, 'held', mode !== 'active');
  mark(byId('trading'), 'warning', mode === 'reducing' || waitsFor(status) !== undefined);
}

function stateText(status) {
  const { trading, safeStates, lossLimits, strategies } = status;
  const { holds } = trading;
  if (holds !== 'active') {
    const states = safeStates.filter((state) => isToldAbove(state));
    const since = states[0]?.since ? ` since ${timeOf(states[0].since)} UTC` : '';
    const until = states.length === 0 ? '' : ` It holds until ${states[0].endsWhen}.`;
    return `Trading is ${holds}${since}: ${trading.causes}.${until}`;
  }
  const waits = waitsFor(status);
  if (waits !== undefined) return `Trading waits: ${waits}.`;
  const idle = strategies.filter(({ state }) => state !== 'running');
  const words = idle.map(({ name, state }) => `${name} is ${state}`).join(', ');
  const reached = lossLimits.map(({ why }) => `; ${why}`).join('');
  const count = strategies.length - idle.length;
  const running =
    count === 0 ? 'no strategy runs' : count === 1 ? '1 strategy runs' : `${count} strategies run`;
  return `Trading is active: ${running}${words === '' ? '' : `, ${words}`}${reached}.`;
}

function waitsFor({ started, sessions }) {
  if (!sessions.trading) return 'the trading session is down';
  if (!sessions.market) return 'the market session is down';
  return started ? undefined : 'the account is not compared with the venue yet';
}

/** What asks for a person first, then what time ends, then the last alerts. `opens` shows the list of an item. */
export function showWrong({ status, margin, differences, alerts }, opens) {
  const items = [
    ...marginItems(margin),
    ...status.safeStates
      .filter((state) => !isToldAbove(state))
      .map(({ kind, subject, cause, since, endsWhen, needsOperator }) => ({
        key: `${kind} ${subject} ${cause}`,
        text: cause,
        until: endsWhen,
        since,
        isAsked: isAskedFor({ kind, subject }, status.strategies),
        isBad: needsOperator && !isAskedFor({ kind, subject }, status.strategies),
        list: 'differences',
      })),
    ...differences
      .filter(({ reads }) => reads !== null)
      .map(({ key, cause, symbol, since, endsWhen }) => ({
        key,
        text: symbol === null || cause.includes(symbol) ? cause : `${symbol}: ${cause}`,
        until: endsWhen,
        since,
        isBad: true,
        list: 'differences',
      })),
  ].sort((one, other) => rankOf(other) - rankOf(one));
  const wrong = items.filter(({ isAsked }) => isAsked !== true).length;
  const recent = alerts
    .slice(0, items.length === 0 ? alertsMax : 1)
    .map(({ time, text }) => ({ key: `${time} ${text}`, text, since: time, list: 'alerts', isAlert: true }));
  const shown = [...items.slice(0, itemsMax), ...recent];
  // A halt or a reduction stands in the line of the state, above.
  const isHeld = status.trading.holds !== 'active';
  const listed =
    items.length === 0
      ? recent.length === 0
        ? ''
        : 'The last alerts'
      : `An operator asked for${recent.length === 0 ? '' : ', and the last alerts'}`;
  write(
    byId('wrong-title'),
    wrong === 0
      ? `Nothing ${isHeld ? 'else ' : ''}is wrong${listed === '' ? '' : `. ${listed}:`}`
      : wrong === 1
        ? '1 thing is wrong'
        : `${wrong} things are wrong`,
  );
  mark(byId('wrong'), 'calm', wrong === 0);
  keep(byId('wrong-list'), shown, {
    keyOf: ({ key }) => key,
    create: ({ list }) => {
      const item = make('li');
      const button = make('button', 'link');
      button.type = 'button';
      button.addEventListener('click', () => opens(list));
      item.append(button, make('small'));
      return item;
    },
    update: (item, { text, until, since, isBad = false, isAlert = false }) => {
      write(item.children[0], text);
      const when = since
        ? `${isAlert ? 'alert of' : 'since'} ${since.slice(5, 10)} ${timeOf(since)} UTC`
        : '';
      write(item.children[1], [when, until === undefined ? '' : `until ${until}`].filter(Boolean).join('; '));
      mark(item, 'bad-item', isBad);
      mark(item, 'alert-item', isAlert);
    },
  });
}

/** What asks for a person stands above what time ends, and that above what an operator asked for. */
function rankOf({ isBad, isAsked = false }) {
  return isBad ? 2 : isAsked ? 0 : 1;
}

function marginItems(margin) {
  return margin
    .filter(({ called }) => called)
    .map(({ product, mode, symbol, currency, updatedAt, positions }) => {
      const most = nearestLiquidation([{ positions }]);
      const where =
        most === undefined
          ? ''
          : `: liquidation at ${most.liquidationPrice}, ${most.liquidationPercent} % away`;
      return {
        key: `margin ${product} ${mode} ${symbol} ${currency}`,
        text: `${symbol ?? currency} is under a margin call${where}`,
        until: 'margin is added or the position is smaller',
        since: updatedAt,
        isBad: true,
        list: 'margin',
      };
    });
}

function nearestLiquidation(accounts) {
  return accounts
    .flatMap(({ positions }) => positions)
    .filter(({ liquidationPercent }) => liquidationPercent !== null)
    .toSorted((one, other) => Number(one.liquidationPercent) - Number(other.liquidationPercent))[0];
}

/** Equity and profit, as the daemon reckons them, in the chosen currency; `columns` have the profit of the run. */
export function showMoney({ profits, days }, currency, columns) {
  const run = profits.find((row) => row.strategy === null && row.currency === currency);
  // The newest day is today's where the run has a profit of today.
  const day = run?.today ? days.find((row) => row.currency === currency) : undefined;
  const fills = day === undefined ? '' : `, ${day.fills} ${day.fills === 1 ? 'fill' : 'fills'}`;
  const most = run?.drawdownMax ? `, at most ${money(run.drawdownMax)}` : '';
  tile('equity', run?.equity, { currency, words: figure });
  tile('today', run?.today, { currency, words: signed, hasTone: true });
  tile('total', run?.profit, { currency, words: signed, hasTone: true });
  tile('fees', day?.fees, { currency, after: fills });
  tile('drawdown', run?.drawdown, { currency, after: most });
  showCurve(columns.of(['profit']));
}

function tile(id, value, { currency, words = money, after = '', hasTone = false }) {
  const known = value !== undefined && value !== null;
  const place = byId(id);
  write(place, known ? `${words(value)} ${currency}${after}` : '–');
  const whole = known ? `${value} ${currency}` : '';
  if (place.title !== whole) place.title = whole;
  mark(place, 'good', hasTone && Number(value) > 0);
  mark(place, 'bad', hasTone && Number(value) < 0);
}

function showCurve([times, values]) {
  const step = Math.max(1, Math.ceil(times.length / curvePoints));
  const points = [];
  for (let at = times.length - 1; at >= 0; at -= step)
    if (values[at] !== null && values[at] !== undefined) points.unshift([times[at], values[at]]);
  const [low, high] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const [first, last] = [points[0]?.[0], points.at(-1)?.[0]];
  const line = points
    .map(([x, y]) => {
      const across = last > first ? ((x - first) / (last - first)) * 100 : 100;
      const up = high > low ? ((y - low) / (high - low)) * 26 : 13;
      return `${across.toFixed(1)},${(28 - up).toFixed(1)}`;
    })
    .join(' ');
  const place = byId('curve');
  place.toggleAttribute('hidden', points.length < 2);
  if (place.firstChild === null) place.append(document.createElementNS(svgSpace, 'polyline'));
  if (place.firstChild.getAttribute('points') !== line) place.firstChild.setAttribute('points', line);
  write(byId('curve-note'), points.length < 2 ? '' : `Profit of the run since ${sinceText(first)}`);
}

/** A time in seconds since 1970, with its day where that is another one. */
function sinceText(seconds) {
  const text = new Date(seconds * 1_000).toISOString();
  const isToday = text.slice(0, 10) === new Date().toISOString().slice(0, 10);
  return `${isToday ? '' : `${text.slice(5, 10)} `}${timeOf(text)} UTC`;
}

/** What is held, and how far it is to the nearest limit and liquidation. */
export function showRisk({ positions, margin, limits }) {
  const held = [
    ...margin.flatMap((account) =>
      account.positions.map(
        ({ symbol, quantity, entry, pnl }) =>
          () =>
            `${cut(quantity)} ${symbol} at ${cut(entry)}, ${signed(pnl)} ${account.currency}, on margin`,
      ),
    ),
    ...positions
      .filter(
        ({ quantity, account }) => Number(quantity) !== 0 && (account === 'spot' || margin.length === 0),
      )
      .map(
        ({ symbol, quantity, averagePrice, unrealized, currency }) =>
          () =>
            `${cut(quantity)} ${symbol} at ${cut(averagePrice)}${unrealized === null ? '' : `, ${signed(unrealized)} ${currency}`}`,
      ),
  ];
  const first = held.slice(0, heldMax).map((say) => say());
  const more = held.length > heldMax ? [`and ${held.length - heldMax} more`] : [];
  write(byId('held'), held.length === 0 ? 'nothing' : [...first, ...more].join('\n'));
  const near = nearestLiquidation(margin);
  write(
    byId('liquidation'),
    near === undefined
      ? 'none'
      : `${near.symbol} at ${near.liquidationPrice}, ${near.liquidationPercent} % away`,
  );
  mark(byId('liquidation'), 'bad', near !== undefined && Number(near.liquidationPercent) < 20);
  const share = ({ used, limit }) => (Number(limit) > 0 ? Number(used) / Number(limit) : 0);
  const top = limits.reduce(
    (most, one) => (most === undefined || share(one) > share(most) ? one : most),
    undefined,
  );
  const used = top === undefined ? 0 : share(top);
  const isUsed = used > 0;
  write(
    byId('limit'),
    top === undefined
      ? 'none'
      : !isUsed
        ? 'no limit is used'
        : `${percent(used)} used: ${cut(top.used)} of ${cut(top.limit)} ${top.unit}, ${top.of}`,
  );
  byId('limit-share').value = Math.min(1, used);
  byId('limit-share').hidden = !isUsed;
  write(byId('limit-name'), isUsed ? top.name : '');
  mark(byId('limit'), 'bad', used >= 0.9);
}

/** Sessions and numbers of the engine: dots in one row, which open to tiles. */
export function showPlumbing({ status }) {
  const { sessions, orders, drift, sentinel, marketLagMs: lag } = status;
  const up = (isUp) => (isUp ? 'up' : 'down');
  const isWatched = sentinel?.up && sentinel.trouble === '' && sentinel.stage === 'watches';
  const rows = [
    ['Market session', up(sessions.market), sessions.market],
    ['Trading session', up(sessions.trading), sessions.trading],
    ['Account', status.started ? 'compared' : 'not compared yet', status.started],
    ['Orders open', `${orders.open}`],
    ['Orders unknown', `${orders.unknown}`, orders.unknown === 0],
    ['In flight', `${orders.inFlight}`],
    ['Market lag', lag === null ? '–' : `${lag} ms`],
    ...(sentinel === null ? [] : [['Sentinel', sentinel.up ? sentinel.stage : 'down', isWatched]]),
    ...(drift === null
      ? []
      : [['Drift', `${drift.score ?? '–'}`, drift.why === '' && !(drift.score > drift.limit)]]),
  ];
  const parts = { keyOf: ([name]) => name };
  keep(byId('tiles'), rows, {
    ...parts,
    create: () => {
      const box = make('div', 'tile');
      box.append(make('span'), make('b'));
      return box;
    },
    update: (box, [name, value, isWell]) => {
      write(box.children[0], name);
      write(box.children[1], value);
      mark(box.children[1], 'good', isWell === true);
      mark(box.children[1], 'bad', isWell === false);
    },
  });
  const dots = rows.filter(([, , isWell]) => isWell !== undefined);
  keep(byId('dots'), dots, {
    ...parts,
    create: () => make('span', 'dot'),
    update: (dot, [name, value, isWell]) => {
      write(dot, isWell ? name : `${name} ${value}`);
      mark(dot, 'bad', !isWell);
      mark(dot, 'good', isWell);
    },
  });
}
