import { Acts } from './acts.js';
import { beginBook, showBook } from './book.js';
import { CandleChart } from './candles.js';
import { Chart, Columns } from './charts.js';
import { Connection, ask } from './connection.js';
import { Explanation } from './explain.js';
import * as first from './first.js';
import { JournalLines } from './journal.js';
import { mark, write } from './tables.js';
import { Tabs } from './tabs.js';
import * as views from './views.js';

const byId = (id) => document.getElementById(id);
const place = 'godwit-token';
const fillsMax = 1_000;
const alertsMax = 200;
/** `--line-1` and on in page.css. */
const lineColours = 6;
/** Milliseconds between two readings of the book, and two drawings while nothing comes: ages go on. */
const bookEvery = 500;
const ageEvery = 1_000;

let token = takeToken();
let connection;
/** The last state that was heard: it stays, in grey and with its time, while the daemon is away. */
let state;
/** Whether `state` is of a stream that is open. */
let isLive = false;
/** Whether the daemon answers this token, as far as it was tried. */
let isReached = true;
let heardAt = new Date();
let run = '';
let downSince = new Date();
let book;
let fills = [];
let alerts = [];
/** Lists as the interface describes them, in the order of the page. */
let cards = [];
let cardsAsked = false;
/** By symbol: the sequence of its feed, and when it came. */
const seen = new Map();
const curves = new Map();
/** Whether `curves` were read since the stream was opened: the curve of the run may come before its first state. */
let areCurvesRead = false;
/** Strategies in the order in which they are given colours. */
const painted = new Set();
const acts = new Acts(
  () => token,
  () => run,
);
const journal = new JournalLines(soon);
const tabs = new Tabs(soon);
const explanation = new Explanation(() => token);
const priceChart = new CandleChart(byId('price'), () => token, soon);
const profitChart = new Chart(byId('profit'));
const accountLines = [
  { name: 'profit', label: 'Account', tone: 'main', area: true },
  { name: 'drawdown', label: 'Drawdown', tone: 'sell' },
];

/** From the fragment, which leaves the address at once, or from this tab's earlier visit. */
function takeToken() {
  const given = /^#token=([\x21-\x7e]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return sessionStorage.getItem(place) ?? '';
  history.replaceState(null, '', location.pathname);
  const found = decodeURIComponent(given);
  sessionStorage.setItem(place, found);
  return found;
}

function connect() {
  connection?.close();
  isLive = false;
  isReached = true;
  byId('enter').hidden = token !== '';
  say(token === '' ? 'Expected the token of the daemon.' : 'connecting…', token === '');
  if (token !== '') connection = new Connection(token, { opened, heard, broken, reached, refused });
  else show();
}

function opened() {
  isReached = true;
  areCurvesRead = false;
  fills = [];
  alerts = [];
  seen.clear();
  byId('enter').hidden = true;
  void readCards();
  void readOnce();
}

/** Without cards no list is shown: they are asked for again with the next state. */
async function readCards() {
  if (cardsAsked) return;
  cardsAsked = true;
  try {
    const { ok, value } = await ask(token, '/api/views');
    if (ok) cards = value.toSorted((a, b) => a.order - b.order);
  } catch {
    // The stream ends too.
  }
  cardsAsked = false;
  soon();
}

/** What came before the stream was opened. */
async function readOnce() {
  try {
    const paths = ['/api/curve', '/api/fills', '/api/alerts', '/api/journal', '/api/feeds'];
    const answers = await Promise.all(paths.map((path) => ask(token, path).catch(() => ({ ok: false }))));
    // One list that is not answered takes no other with it.
    const [curve, earlierFills, earlierAlerts, records, feeds] = answers.map(({ ok, value }) => ({
      value: ok ? value : [],
      ok,
    }));
    if (curve.ok) {
      curves.clear();
      areCurvesRead = true;
      takeCurve(curve.value);
      if (state !== undefined) keepCurves();
    }
    journal.add(records.value);
    for (const { symbol, sequence, ageMs } of feeds.value)
      if (ageMs !== null) seen.set(symbol, { sequence, at: Date.now() - ageMs });
    // What has come meanwhile may stand in the lists, or be newer than they are.
    fills = [
      ...fills.filter((fill) => !earlierFills.value.some((one) => isSameFill(one, fill))),
      ...earlierFills.value,
    ];
    alerts = [
      ...alerts.filter((alert) => !earlierAlerts.value.some((one) => isSameAlert(one, alert))),
      ...earlierAlerts.value,
    ];
  } catch {
    // The stream ends too, and what is missing is read with the next one.
  }
  soon();
}

function takeCurve({ times, currencies, strategies }) {
  for (const currency of new Set([...currencies, ...strategies].map((one) => one.currency))) {
    const account = currencies.find((one) => one.currency === currency);
    const lines = strategies.filter((one) => one.currency === currency);
    const columns = columnsOf(curves, currency);
    times.forEach((time, at) => {
      const profit = account?.profit[at] ?? null;
      const drawdown = account?.drawdown[at] ?? null;
      columns.add(time / 1_000, [
        ['profit', profit],
        ['drawdown', drawdown],
        ...lines.map((line) => [nameOf(line), line.points[at]]),
      ]);
    });
  }
}

function heard(name, value) {
  if (name === 'fill') {
    if (fills.some((fill) => isSameFill(fill, value))) return;
    fills.unshift(value);
    fills.length = Math.min(fills.length, fillsMax);
  } else if (name === 'alert') {
    if (alerts.some((alert) => isSameAlert(alert, value))) return;
    alerts.unshift(value);
    alerts.length = Math.min(alerts.length, alertsMax);
  } else if (name === 'journal') {
    journal.add(value);
  } else if (name === 'state') {
    if (value.status.run !== run) begin(value.status);
    const first = !isLive;
    isLive = true;
    state = value;
    heardAt = new Date();
    keepCurves();
    for (const { symbol, sequence } of state.feeds)
      if (seen.get(symbol)?.sequence !== sequence) seen.set(symbol, { sequence, at: Date.now() });
    if (first) say('', false);
    if (cards.length === 0) void readCards();
  }
  soon();
}

function isSameFill(one, other) {
  return one.tradeId === other.tradeId && one.symbol === other.symbol;
}

function isSameAlert(one, other) {
  return one.time === other.time && one.text === other.text;
}

/** What was drawn of another run is none of this one's. Lists that are asked for once are cleared when they are read: either may come first. */
function begin(status) {
  if (run !== '') journal.clear();
  run = status.run;
  painted.clear();
  for (const { name } of status.strategies) painted.add(name);
  book = undefined;
  if (!areCurvesRead) curves.clear();
}

function broken(retryMs) {
  if (isLive) downSince = new Date();
  isLive = false;
  const seconds = Math.max(1, Math.round(retryMs / 1_000));
  say(
    `Disconnected since ${downSince.toISOString().slice(11, 19)} UTC; the next attempt is in ${seconds} s. ` +
      'If the daemon was started again, it may listen elsewhere: godwit dashboard prints the address.',
    true,
  );
  show();
}

/** Whether the daemon answers at all while there is no stream of it. */
function reached(answers) {
  isReached = answers;
  show();
}

function refused(why) {
  isLive = false;
  isReached = false;
  byId('enter').hidden = false;
  say(
    why === 'locked'
      ? 'This token is wrong, as many before it from this address: the right one is accepted at once.'
      : 'The daemon answers, but it does not accept this token. A daemon that was started again has a new one: ' +
          'godwit dashboard prints it.',
    true,
  );
  if (why !== 'locked') sessionStorage.removeItem(place);
  show();
}

function say(text, isWarning) {
  write(byId('link'), text);
  byId('link').hidden = text === '';
  mark(byId('link'), 'warning', isWarning);
}

function columnsOf(map, name) {
  if (!map.has(name)) map.set(name, new Columns());
  return map.get(name);
}

/** The column of a strategy. */
function nameOf({ name, kind }) {
  return JSON.stringify([kind, name]);
}

/** The account, and one line for each strategy: live ones drawn through, shadows in dashes of the same colour. */
function profitLines(columns) {
  const strategies = columns.names.filter((name) => !accountLines.some((line) => line.name === name));
  return [
    ...accountLines,
    ...strategies.map((name) => {
      const [kind, strategy] = JSON.parse(name);
      painted.add(strategy);
      const tone = `line-${([...painted].indexOf(strategy) % lineColours) + 1}`;
      return kind === 'shadow'
        ? { name, label: `${strategy}, shadow`, tone, dash: [6, 4] }
        : { name, label: strategy, tone };
    }),
  ];
}

function keepCurves() {
  const now = Date.now() / 1_000;
  const { profits, drawdowns, strategyProfits } = state;
  for (const currency of new Set(strategyProfits.map((one) => one.currency))) {
    const profit = profits[currency] ?? null;
    const lines = strategyProfits.filter((one) => one.currency === currency);
    columnsOf(curves, currency).add(now, [
      ['profit', profit],
      ['drawdown', drawdowns[currency] ?? null],
      ...lines.map((line) => [nameOf(line), line.profit]),
    ]);
  }
}

/** `null`: of a book that never came. */
function ageOf({ symbol, status }, now) {
  const at = seen.get(symbol)?.at;
  return at === undefined || status === 'empty' ? null : now - at;
}

const parts = { acts, explanation, tabs, tokenOf: () => token, showsSymbol };

/** The chart and the book of a symbol. */
function showsSymbol(symbol) {
  if (![...byId('symbol').options].some(({ value }) => value === symbol)) return;
  byId('symbol').value = symbol;
  byId('symbol').dispatchEvent(new Event('change'));
  byId('price-title').scrollIntoView({ block: 'center' });
  byId('symbol').focus();
}

let isDue = false;

function soon() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    show();
  });
}

function show() {
  byId('main').hidden = state === undefined;
  for (const id of ['run', 'trading']) byId(id).hidden = state === undefined;
  document.title = isLive
    ? `Godwit: ${state.status.trading.holds}`
    : `Godwit: ${document.hidden ? 'hidden' : 'disconnected'}`;
  showWhetherLive();
  if (state === undefined) return;
  first.showState(state);
  first.showPlumbing(state);
  views.showChoices(
    byId('symbol'),
    state.feeds.map(({ symbol }) => symbol),
  );
  views.showChoices(byId('currency'), [...curves.keys()]);
  byId('currencies').hidden = curves.size < 2;
  showBook({ book, orders: state.orders });
  const now = Date.now();
  const feeds = state.feeds.map((feed) => ({ ...feed, ageMs: ageOf(feed, now) }));
  const lists = { ...state, ...state.views, feeds, fills, alerts, journal: journal.shown() };
  first.showWrong(lists, (name) => tabs.choose(name, true));
  first.showRisk(lists);
  views.showCards(cards, { ...lists, strategies: state.status.strategies }, parts);
  const symbol = byId('symbol').value;
  const middle = state.feeds.find((feed) => feed.symbol === symbol)?.middle ?? null;
  priceChart.show({ run, symbol, middle, isLive, lists });
  const profit = curves.get(byId('currency').value) ?? new Columns();
  first.showMoney(lists, byId('currency').value, profit);
  profitChart.show(profit, profitLines(profit));
}

/**
 * What was last known stays, in grey, and acts need live state. The red switch needs less: it is on as long as the daemon may answer, for
 * a stream can be lost where a request arrives. Where nothing answers, a red button would hide the ways that still halt.
 */
function showWhetherLive() {
  const isAway = state !== undefined && !isLive;
  mark(document.body, 'away', isAway);
  byId('away').hidden = !isAway;
  if (isAway)
    write(byId('away'), `Last known, of ${heardAt.toISOString().slice(0, 19).replace('T', ' ')} UTC.`);
  // On a telephone they are a strip that scrolls: keys move it by its buttons, or by itself where these are off.
  byId('all-acts').tabIndex = isLive ? -1 : 0;
  byId('unreachable').hidden = isReached || token === '' || !byId('enter').hidden;
  for (const id of ['halt', 'sure-yes']) byId(id).disabled = token === '' || !isReached;
  for (const button of document.querySelectorAll('button[data-act]:not(#halt)')) button.disabled = !isLive;
}

async function readBook() {
  const symbol = byId('symbol').value;
  if (!isLive || document.hidden || symbol === '') return;
  try {
    const { ok, value } = await ask(token, `/api/books/${encodeURIComponent(symbol)}`);
    if (ok && symbol === byId('symbol').value) book = value;
    soon();
  } catch {
    // The stream notices a daemon that is gone.
  }
}

/** One after the other, however long one takes. */
function repeat(every, work) {
  setTimeout(async () => {
    await work();
    repeat(every, work);
  }, every);
}

byId('enter').addEventListener('submit', (event) => {
  event.preventDefault();
  token = byId('token').value.trim();
  byId('token').value = '';
  sessionStorage.setItem(place, token);
  connect();
});
byId('symbol').addEventListener('change', () => {
  book = undefined;
  void readBook();
  soon();
});
byId('currency').addEventListener('change', soon);
addEventListener('hashchange', () => {
  const found = takeToken();
  if (found === token) return;
  token = found;
  connect();
});
// A browser has six connections to one host. Tabs that nobody looks at leave them to the one whose switch must work.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return connect();
  connection?.close();
  isLive = false;
  say('Not connected while the page is hidden.', false);
  show();
});
beginBook(soon);
repeat(bookEvery, readBook);
setInterval(() => {
  if (isLive) soon();
}, ageEvery);
connect();
