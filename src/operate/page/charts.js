/* global uPlot */
const look = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const short = (value) =>
  value === null || value === undefined
    ? '–'
    : value.toLocaleString('en-US', { maximumSignificantDigits: 8 });
const clockText = (seconds) =>
  seconds === null || seconds === undefined ? '–' : new Date(seconds * 1_000).toISOString().slice(11, 19);

/** Points of a chart at most. Above that every second one is dropped, and points come half as often from then on. */
const pointsMax = 4_000;

/** Columns that grow at their end and stay bounded. */
export class Columns {
  #count;
  #spacing = 0;

  constructor(count) {
    this.#count = count;
    this.data = Array.from({ length: count }, () => []);
  }

  clear() {
    this.#spacing = 0;
    this.data = Array.from({ length: this.#count }, () => []);
  }

  /** The first value is the time in seconds; one that is not later is left out. */
  add(...values) {
    const times = this.data[0];
    if (times.length > 0 && values[0] - times.at(-1) <= this.#spacing) return;
    values.forEach((value, at) => this.data[at].push(value));
    if (times.length < pointsMax) return;
    this.#spacing = ((times.at(-1) - times[0]) / times.length) * 1.5;
    this.data = this.data.map((column) => column.filter((_, at) => at % 2 === 0));
  }
}

/** A line chart over time: `series` are `{ label, tone, area }`; `markers()` are `{ time, price, side }`. */
export class Chart {
  #place;
  #series;
  #markers;
  #plot;
  #data;

  constructor(place, series, markers = () => []) {
    this.#place = place;
    this.#series = series;
    this.#markers = markers;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#again());
    new ResizeObserver(() => {
      if (this.#plot !== undefined && this.#plot.width !== place.clientWidth) this.#again();
    }).observe(place);
  }

  show(data) {
    this.#data = data;
    if (this.#plot === undefined) this.#again();
    else this.#plot.setData(data);
  }

  #again() {
    this.#plot?.destroy();
    this.#plot = undefined;
    if (this.#data === undefined || this.#place.clientWidth === 0) return;
    this.#plot = new uPlot(this.#options(), this.#data, this.#place);
  }

  #options() {
    const axis = {
      stroke: look('soft'),
      grid: { stroke: look('line'), width: 1 },
      ticks: { stroke: look('line'), width: 1 },
      font: '12px system-ui, sans-serif',
    };
    const widthOf = (_, texts) =>
      Math.max(40, Math.max(0, ...(texts ?? []).map((text) => text.length)) * 7 + 16);
    return {
      width: this.#place.clientWidth,
      height: 240,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      hooks: { draw: [(plot) => this.#drawMarkers(plot)] },
      scales: { y: { range: (_, low, high) => rangeOf(low, high) } },
      axes: [
        { ...axis, space: 80, values: (_, ticks) => ticks.map(clockText) },
        { ...axis, values: (_, ticks) => ticks.map(short), size: widthOf },
      ],
      series: [
        { label: 'Time', value: (_, value) => clockText(value) },
        ...this.#series.map(({ label, tone, area }) => ({
          label,
          stroke: look(tone),
          width: 1.5,
          points: { show: false },
          value: (_, value) => short(value),
          ...(area && { fill: `color-mix(in srgb, ${look(tone)} 16%, transparent)`, fillTo: 0 }),
        })),
      ],
    };
  }

  #drawMarkers(plot) {
    const { ctx, bbox } = plot;
    const size = 5 * devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { time, price, side } of this.#markers()) {
      const x = plot.valToPos(time, 'x', true);
      const y = plot.valToPos(price, 'y', true);
      const up = side === 'buy' ? 1 : -1;
      ctx.fillStyle = look(side);
      ctx.beginPath();
      ctx.moveTo(x, y - up * size);
      ctx.lineTo(x - size, y + up * size);
      ctx.lineTo(x + size, y + up * size);
      ctx.fill();
    }
    ctx.restore();
  }
}

function rangeOf(low, high) {
  if (low === null || high === null) return [0, 1];
  const room = high === low ? Math.abs(high) * 1e-4 || 1 : (high - low) * 0.08;
  return [low - room, high + room];
}
