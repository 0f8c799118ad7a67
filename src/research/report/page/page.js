// Runs in the page: draws every chart of the report with uPlot, anew when the width or the colours change.
(() => {
  const charts = JSON.parse(document.getElementById('charts').textContent);
  const drawn = new Map();

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }

  function number(value) {
    if (value === null || value === undefined) return '–';
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toPrecision(5);
    return String(Number(value.toPrecision(7)));
  }

  /** A number of an axis without an exponent where it can be read. */
  function short(value) {
    if (value === 0) return '0';
    const size = Math.abs(value);
    return size < 1e-7 || size >= 1e10 ? value.toExponential(1) : String(Number(value.toPrecision(8)));
  }

  const pad = (value, width = 2) => String(value).padStart(width, '0');

  function utc(seconds) {
    if (seconds === null || seconds === undefined) return '–';
    const date = new Date(seconds * 1000);
    const day = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
    const time = `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
    return `${day} ${time}.${pad(date.getUTCMilliseconds(), 3)}`;
  }

  const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

  /** Ticks of a time axis, 24 hours a day; the day stands below the first tick of each. */
  function timeTicks(ticks, step) {
    let day = '';
    return ticks.map((tick) => {
      const text = utc(tick);
      const month = `${monthNames[Number(text.slice(5, 7)) - 1]} ${text.slice(0, 4)}`;
      const date = `${Number(text.slice(8, 10))} ${month}`;
      if (step >= 300 * 86400) return text.slice(0, 4);
      if (step >= 27 * 86400) return month;
      if (step >= 86400) return date;
      const time = text.slice(11, step >= 60 ? 16 : step >= 1 ? 19 : 23);
      const first = date !== day;
      day = date;
      return first ? `${time}\n${date}` : time;
    });
  }

  function seriesOf(chart, one) {
    const stroke = colour(one.tone);
    const base = { label: one.label, value: (_, value) => number(value) };
    if (one.form === 'points')
      return {
        ...base,
        fill: stroke,
        paths: () => null,
        points: { show: true, size: 7, stroke: colour('card'), fill: stroke, width: 1 },
      };
    if (one.form === 'bars')
      return {
        ...base,
        stroke,
        fill: stroke,
        paths: uPlot.paths.bars({ size: [0.9, 60], align: 0 }),
        points: { show: false },
      };
    const line = { ...base, stroke, width: one.form === 'step' ? 1.25 : 1.75, spanGaps: false };
    if (one.form === 'step')
      return { ...line, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } };
    if (one.form === 'area')
      return {
        ...line,
        fill: `color-mix(in srgb, ${stroke} 16%, transparent)`,
        fillTo: 0,
        points: { show: false },
      };
    return { ...line, points: { show: chart.axis === 'log', size: 6, fill: stroke } };
  }

  function widthOf(texts) {
    const longest = texts === null ? 4 : texts.reduce((most, text) => Math.max(most, text.length), 0);
    return Math.max(38, longest * 7 + 18);
  }

  function axesOf(chart) {
    const look = {
      stroke: colour('soft'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { stroke: colour('line'), width: 1 },
      font: '12px system-ui, sans-serif',
    };
    const space = (self) => (self.width < 500 ? 62 : 90);
    const time = { ...look, space, values: (_, ticks, __, ___, step) => timeTicks(ticks, step) };
    const number = { ...look, values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : short(tick))) };
    const x = chart.axis === 'time' ? time : number;
    return [x, { ...look, values: (_, ticks) => ticks.map(short), size: (_, texts) => widthOf(texts) }];
  }

  function scalesOf(chart) {
    const flat = (low, high) => {
      if (low === null || high === null) return [0, 1];
      const room = high === low ? Math.abs(high) * 1e-4 || 1 : (high - low) * 0.06;
      const bars = chart.series.some((one) => one.form === 'bars');
      return [bars ? 0 : low - room, high + room];
    };
    const gap = chart.x.length > 1 ? chart.x[1] - chart.x[0] : Math.max(1, chart.x[0] * 0.5);
    const whole = [chart.x[0] - gap, chart.x[chart.x.length - 1] + gap];
    const x =
      chart.axis === 'time'
        ? { time: true }
        : chart.axis === 'log'
          ? { time: false, distr: 3, range: [chart.x[0] * 0.8, chart.x[chart.x.length - 1] * 1.25] }
          : { time: false, range: whole };
    return { x, y: { range: (_, low, high) => flat(low, high) } };
  }

  function draw(chart) {
    const place = document.querySelector(`[data-chart="${CSS.escape(chart.id)}"]`);
    if (place === null) return;
    drawn.get(chart.id)?.destroy();
    const width = Math.max(260, place.clientWidth);
    const wide = width > 600;
    const options = {
      width,
      height: chart.id.startsWith('price-') ? (wide ? 380 : 280) : wide ? 260 : 220,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: scalesOf(chart),
      axes: axesOf(chart),
      cursor: chart.axis === 'time' ? { sync: { key: 'time', setSeries: false } } : {},
      series: [
        { label: chart.xLabel, value: (_, value) => (chart.axis === 'time' ? utc(value) : number(value)) },
        ...chart.series.map((one) => seriesOf(chart, one)),
      ],
    };
    drawn.set(chart.id, new uPlot(options, [chart.x, ...chart.series.map((one) => one.values)], place));
  }

  function drawAll() {
    for (const chart of charts) draw(chart);
  }

  drawAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  let width = document.documentElement.clientWidth;
  addEventListener('resize', () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    drawAll();
  });
})();
