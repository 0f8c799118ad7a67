import { ask } from './connection.js';
import { figure, mark, write } from './tables.js';

/* global LightweightCharts */
const byId = (id) => document.getElementById(id);
const look = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
/** Milliseconds of the periods; the server makes the choices of them. */
const lengths = { M1: 60_000, M5: 300_000, M15: 900_000, H1: 3_600_000, H4: 14_400_000, D1: 86_400_000 };
/** Milliseconds between two readings of the candle under way, and of all: the venue's history comes later than the first trades. */
const tailEvery = 2_000;
const wholeEvery = 30_000;
/** Lines of orders that are drawn at most. */
const linesMax = 40;
const digitsMax = 8;
/** Candles by which an arrow key moves the chart, and the factor of plus and minus. */
const step = 10;
const zoom = 1.25;

/**
 * Candles of one symbol from the daemon, with own fills as arrows, and own orders, stops, entries, margin call and liquidation as lines.
 * What was read stays while the daemon is away.
 */
export class CandleChart {
  #place;
  #tokenOf;
  #chart;
  #series;
  #arrows;
  #drawnArrows = '';
  /** Own fills by candle and side. */
  #fills = new Map();
  #lines = new Map();
  /** Which candles are shown: a new object for each choice. */
  #of = { run: '', symbol: '', period: '' };
  #rows = new Map();
  #pointed;
  #readAt = 0;
  #wholeAt = 0;
  #reading;

  constructor(place, tokenOf, changed) {
    this.#place = place;
    this.#tokenOf = tokenOf;
    byId('period').addEventListener('change', changed);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
    place.addEventListener('keydown', (event) => this.#pressed(event));
  }

  /** `lists` are those of live state; `middle` that of the book, as text, or `null`. */
  show({ run, symbol, middle, isLive, lists }) {
    const period = byId('period').value;
    const { run: knownRun, symbol: knownSymbol, period: knownPeriod } = this.#of;
    if (run !== knownRun || symbol !== knownSymbol || period !== knownPeriod)
      this.#begin({ run, symbol, period });
    if (this.#chart === undefined) this.#make();
    if (isLive && symbol !== '' && Date.now() - this.#readAt >= tailEvery) void this.#read();
    this.#showArrows(lists.fills);
    this.#showLines(linesOf(symbol, lists));
    this.#say(middle);
  }

  #begin(of) {
    this.#of = of;
    this.#rows.clear();
    this.#readAt = 0;
    this.#wholeAt = 0;
    this.#pointed = undefined;
    this.#series?.setData([]);
    this.#chart?.timeScale().resetTimeScale();
  }

  #make() {
    this.#chart = LightweightCharts.createChart(this.#place, {
      autoSize: true,
      // The notice that its license asks for stands at the foot of the page: the logo would need a style that the policy forbids.
      layout: { attributionLogo: false },
      // Titles of lines stand in the room at the right.
      timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 10, barSpacing: 12 },
    });
    this.#series = this.#chart.addSeries(LightweightCharts.CandlestickSeries, { lastValueVisible: true });
    this.#arrows = LightweightCharts.createSeriesMarkers(this.#series, []);
    this.#chart.subscribeCrosshairMove(({ time }) => {
      this.#pointed = time;
      this.#say(null);
    });
    this.#paint();
  }

  #paint() {
    if (this.#chart === undefined) return;
    const [ink, line] = [look('soft'), look('line')];
    this.#chart.applyOptions({
      layout: { background: { color: look('card') }, textColor: ink, fontFamily: 'system-ui, sans-serif' },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
    });
    const [up, down] = [look('buy'), look('sell')];
    this.#series.applyOptions({
      upColor: up,
      downColor: down,
      borderUpColor: up,
      borderDownColor: down,
      wickUpColor: up,
      wickDownColor: down,
    });
    // Colours of what is drawn on it come anew.
    this.#drawnArrows = '';
    for (const line of this.#lines.values()) this.#series.removePriceLine(line);
    this.#lines.clear();
  }

  /** Never rejects: the stream notices a daemon that is gone. */
  async #read() {
    const of = this.#of;
    if (this.#reading === of) return;
    this.#reading = of;
    const isWhole = Date.now() - this.#wholeAt >= wholeEvery;
    const last = isWhole ? undefined : [...this.#rows.keys()].at(-1);
    try {
      const path = `/api/candles/${encodeURIComponent(of.symbol)}/${of.period}`;
      const { ok, value } = await ask(this.#tokenOf(), last === undefined ? path : `${path}?from=${last}`);
      if (ok && of === this.#of) this.#take(value, isWhole);
    } catch {
      // It is asked again.
    }
    if (of === this.#of) this.#readAt = Date.now();
    if (this.#reading === of) this.#reading = undefined;
  }

  #take({ times, open, high, low, close, volume }, isWhole) {
    const rows = times.map((ms, at) => ({
      ms,
      candle: { time: ms / 1_000, open: open[at], high: high[at], low: low[at], close: close[at] },
      volume: volume[at],
    }));
    if (isWhole) {
      this.#wholeAt = Date.now();
      this.#rows.clear();
    }
    for (const row of rows) this.#rows.set(row.ms, row);
    if (isWhole) {
      const precision = Math.max(0, ...rows.slice(-50).map(({ candle }) => digitsOf(candle.close)));
      this.#series.applyOptions({ priceFormat: { type: 'price', precision, minMove: 10 ** -precision } });
      this.#series.setData(rows.map(({ candle }) => candle));
    } else for (const { candle } of rows) this.#series.update(candle);
    this.#drawnArrows = '';
  }

  /** One arrow for all fills of a side in a candle. */
  #showArrows(fills) {
    const length = lengths[this.#of.period];
    const arrows = new Map();
    for (const { symbol, time, side } of fills) {
      if (symbol !== this.#of.symbol) continue;
      const ms = Math.floor(Date.parse(time) / length) * length;
      if (!this.#rows.has(ms)) continue;
      const key = `${ms} ${side}`;
      arrows.set(key, { ms, side, count: (arrows.get(key)?.count ?? 0) + 1 });
    }
    this.#fills = arrows;
    const sorted = [...arrows.values()].toSorted((a, b) => a.ms - b.ms);
    const drawn = JSON.stringify(sorted);
    if (drawn === this.#drawnArrows) return;
    this.#drawnArrows = drawn;
    this.#arrows.setMarkers(
      // How many they are stands below: numbers of neighbours would cover each other.
      sorted.map(({ ms, side }) => ({
        time: ms / 1_000,
        position: side === 'buy' ? 'belowBar' : 'aboveBar',
        shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
        color: look(side),
      })),
    );
  }

  #showLines(wanted) {
    for (const [key, line] of this.#lines) {
      if (wanted.has(key)) continue;
      this.#series.removePriceLine(line);
      this.#lines.delete(key);
    }
    for (const [key, { level, title, tone, isDashed }] of wanted) {
      if (this.#lines.has(key)) continue;
      const { Dashed, Solid } = LightweightCharts.LineStyle;
      const line = this.#series.createPriceLine({
        price: level,
        title,
        color: look(tone),
        lineWidth: 1,
        lineStyle: isDashed ? Dashed : Solid,
        axisLabelVisible: true,
      });
      this.#lines.set(key, line);
    }
  }

  /** The candle under the pointer, or else the last one, in words. */
  #say(middle) {
    const row = this.#rows.get((this.#pointed ?? 0) * 1_000) ?? [...this.#rows.values()].at(-1);
    const { symbol, period } = this.#of;
    const book = middle === null ? '' : `; the middle of the book is ${middle}`;
    if (row === undefined) {
      if (symbol !== '') write(byId('price-said'), `No candle of ${symbol} yet${book}.`);
      return;
    }
    const { open, high, low, close } = row.candle;
    const time = new Date(row.ms).toISOString().slice(0, 16).replace('T', ' ');
    const own = ['buy', 'sell'].flatMap((side) => {
      const count = this.#fills.get(`${row.ms} ${side}`)?.count;
      return count === undefined ? [] : [`; own fills, ${side}: ${count}`];
    });
    const volume = figure(row.volume, digitsMax);
    write(
      byId('price-said'),
      `${time} ${period}: open ${open}, high ${high}, low ${low}, close ${close}, volume ${volume}${own.join('')}`,
    );
    mark(byId('price-said'), 'good', close > open);
    mark(byId('price-said'), 'bad', close < open);
  }

  #pressed(event) {
    const scale = this.#chart?.timeScale();
    if (scale === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const spacing = scale.options().barSpacing;
    if (event.key === 'ArrowLeft') scale.scrollToPosition(scale.scrollPosition() - step, false);
    else if (event.key === 'ArrowRight') scale.scrollToPosition(scale.scrollPosition() + step, false);
    else if (event.key === '+') scale.applyOptions({ barSpacing: spacing * zoom });
    else if (event.key === '-') scale.applyOptions({ barSpacing: spacing / zoom });
    else if (event.key === 'Home') scale.fitContent();
    else if (event.key === 'End') scale.scrollToRealTime();
    else return;
    event.preventDefault();
  }
}

/** Lines by what they say: a line that would say something else is another one. */
function linesOf(wanted, { orders, positions, margin }) {
  const lines = new Map();
  const add = (text, title, tone, isDashed = false) => {
    if (text !== null && lines.size < linesMax)
      lines.set(JSON.stringify([text, title, tone]), { level: Number(text), title, tone, isDashed });
  };
  for (const { symbol, entry, marginCallPrice, liquidationPrice } of margin.flatMap((one) => one.positions)) {
    if (symbol !== wanted) continue;
    add(entry, 'entry, margin', 'main');
    add(marginCallPrice, 'margin call', 'second');
    add(liquidationPrice, 'liquidation', 'red');
  }
  for (const { symbol, strategy, account, quantity, averagePrice } of positions)
    if (symbol === wanted && account === 'spot' && Number(quantity) !== 0)
      add(averagePrice, `entry, ${strategy}`, 'main');
  for (const { symbol, side, quantity, executed, price, stopPrice } of orders) {
    if (symbol !== wanted) continue;
    const what = `${side} ${quantity}${Number(executed) === 0 ? '' : `, ${executed} done`}`;
    add(price, what, side, true);
    add(stopPrice, `stop, ${what}`, side, true);
  }
  return lines;
}

function digitsOf(value) {
  const [, fraction = ''] = String(value).split('.');
  return fraction.includes('e') || String(value).includes('e')
    ? digitsMax
    : Math.min(digitsMax, fraction.length);
}
