import { figure, make } from './tables.js';

/* global uPlot */
const look = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const short = (value) => (value === null || value === undefined ? '–' : figure(value, 6));
const clockText = (seconds) =>
  seconds === null || seconds === undefined ? '–' : new Date(seconds * 1_000).toISOString().slice(11, 19);

/** A time on an axis: the day at midnight, else as much of the time of day as it has. */
function tickText(seconds) {
  const text = new Date(seconds * 1_000).toISOString();
  return seconds % 86_400 === 0 ? text.slice(5, 10) : text.slice(11, seconds % 60 === 0 ? 16 : 19);
}

/** Seconds that an axis of time has at least, and those between two of its times: times of day are told to the second. */
const spanMin = 60;
const timeSteps = [
  1,
  5,
  10,
  30,
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * 60),
  ...[1, 2, 6, 12, 24, 48, 168, 720].map((hours) => hours * 3_600),
];

/** Points of a chart at most. Above that every second one is dropped, and points come half as often from then on. */
const pointsMax = 4_000;

/** Seconds between two points at least: states come more often, and each point draws the whole canvas again. */
const spacingMin = 0.9;

/** Columns by name over one column of times. They grow at their end and stay bounded. */
export class Columns {
  #spacing = spacingMin;
  #times = [];
  #columns = new Map();

  /** `time` in seconds; one that is not later is left out. `values` are pairs of a name and a number, or `null`. */
  add(time, values) {
    const times = this.#times;
    if (times.length > 0 && time - times.at(-1) <= this.#spacing) return;
    for (const [name, value] of values) {
      if (!this.#columns.has(name))
        this.#columns.set(
          name,
          Array.from(times, () => null),
        );
      this.#columns.get(name).push(value);
    }
    times.push(time);
    for (const column of this.#columns.values()) if (column.length < times.length) column.push(null);
    if (times.length < pointsMax) return;
    this.#spacing = ((times.at(-1) - times[0]) / times.length) * 1.5;
    const thinned = (column) => column.filter((_, at) => at % 2 === 0);
    this.#times = thinned(times);
    for (const [name, column] of this.#columns) this.#columns.set(name, thinned(column));
  }

  get names() {
    return [...this.#columns.keys()];
  }

  /** As the chart takes it: times, and the columns of these names. */
  of(names) {
    return [this.#times, ...names.map((name) => this.#columns.get(name) ?? [])];
  }
}

/**
 * A line chart over time. `series` are `{ name, label, tone, area, dash }`, and a name stands for a column. The legend is buttons that hide and show a line, and tells the last values while no pointer is on it.
 */
export class Chart {
  #place;
  #plot;
  #series = [];
  #data;
  #hidden = new Set();
  #drawn = '';
  /** The times that are drawn, and how many they were then: they grow in place. */
  #times;
  #count = 0;

  constructor(place) {
    this.#place = place;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#again());
    new ResizeObserver(() => {
      // A place that is hidden has no width; its plot waits there with what has the focus.
      if (place.clientWidth > 0 && this.#plot?.width !== place.clientWidth) this.#again();
    }).observe(place);
  }

  show(columns, series) {
    this.#series = series;
    this.#data = columns.of(series.map(({ name }) => name));
    if (this.#plot === undefined || JSON.stringify(series) !== this.#drawn) {
      this.#again();
      return;
    }
    const [times] = this.#data;
    if (times === this.#times && times.length === this.#count) return;
    this.#note(times);
    this.#plot.setData(this.#data);
    this.#tellLast(this.#plot);
  }

  #note(times) {
    this.#times = times;
    this.#count = times.length;
  }

  #again() {
    if (this.#data === undefined || this.#place.clientWidth === 0) return;
    // What has the focus has it again: a new strategy makes a new legend.
    const focused = [...this.#place.querySelectorAll('button')].indexOf(document.activeElement);
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#drawn = JSON.stringify(this.#series);
    this.#note(this.#data[0]);
    this.#plot = new uPlot(this.#options(), this.#data, this.#place);
    this.#tellLast(this.#plot);
    this.#place.querySelectorAll('button')[focused]?.focus();
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
      hooks: {
        setCursor: [(plot) => this.#tellLast(plot)],
        setSeries: [(plot, at, { show }) => this.#toggled(plot, at, show)],
      },
      scales: {
        x: { range: (_, first, last) => spanOf(first, last) },
        y: { range: (_, low, high) => rangeOf(low, high) },
      },
      axes: [
        { ...axis, space: 80, incrs: timeSteps, values: (_, ticks) => ticks.map(tickText) },
        { ...axis, values: (_, ticks) => ticks.map(short), size: widthOf },
      ],
      legend: {
        markers: { dash: (plot, at) => (plot.series[at].dash === undefined ? 'solid' : 'dashed') },
      },
      series: [
        { label: 'Time', value: (_, value) => clockText(value) },
        ...this.#series.map((one) => this.#line(one)),
      ],
    };
  }

  #line({ name, label, tone, area, dash }) {
    const button = make('button', undefined, label);
    button.type = 'button';
    button.dataset.line = label;
    button.ariaPressed = String(!this.#hidden.has(name));
    return {
      label: button,
      show: !this.#hidden.has(name),
      stroke: look(tone),
      width: 1.5,
      dash,
      points: { show: false },
      value: (plot, value, at, place) => short(value ?? lastOf(plot.data[at], place)),
      ...(area && { fill: `color-mix(in srgb, ${look(tone)} 16%, transparent)`, fillTo: 0 }),
    };
  }

  /** A null before the first value of a line, or where it had no price, is told as the value before it. */
  #tellLast(plot) {
    if (plot.cursor.idx === null || plot.cursor.idx === undefined)
      plot.setLegend({ idx: plot.data[0].length - 1 }, false);
  }

  #toggled(plot, at, isShown) {
    if (at === null || isShown === undefined) return;
    const { name } = this.#series[at - 1];
    if (isShown) this.#hidden.delete(name);
    else this.#hidden.add(name);
    plot.series[at].label.ariaPressed = String(isShown);
  }
}

function lastOf(values, place) {
  for (let at = place ?? values.length - 1; at >= 0; at--) if (values[at] !== null) return values[at];
  return null;
}

/** A minute at least: a run that has just begun has its points at the right, as it will have later. */
function spanOf(first, last) {
  const end = last ?? Date.now() / 1_000;
  return [Math.min(first ?? end, end - spanMin), end];
}

function rangeOf(low, high) {
  if (low === null || high === null) return [0, 1];
  const room = high === low ? Math.abs(high) * 1e-4 || 1 : (high - low) * 0.08;
  return [low - room, high + room];
}
