// Runs in the page: draws every chart of the report with uPlot, anew when the width or the colours change.
(() => {
  const charts = JSON.parse(document.getElementById('charts').textContent);
  const drawn = new Map();

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }

  function number(value) {
    if (isMissing(value)) return '–';
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-7 || size >= 1e15)) return value.toExponential(4);
    return value.toLocaleString('en-US', { maximumSignificantDigits: 7 });
  }

  const isMissing = (value) => value === null || value === undefined;
  const textOf = (value) => (isMissing(value) ? '' : number(value));

  /** A number of an axis without an exponent where it can be read. */
  function short(value) {
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size < 1e-7 || size >= 1e12) return value.toExponential(1);
    return value.toLocaleString('en-US', { maximumSignificantDigits: 8 });
  }

  /** The latest value up to a place: what the legend shows where a series has none there. */
  function latest(values, place) {
    for (let at = place ?? values.length - 1; at >= 0; at--) if (values[at] !== null) return values[at];
    return null;
  }

  const pad = (value, width = 2) => String(value).padStart(width, '0');

  function utc(seconds) {
    if (isMissing(seconds)) return '–';
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
      if (step >= 86400) {
        const year = text.slice(0, 4);
        const first = year !== day;
        day = year;
        return first ? `${date.slice(0, -5)}\n${year}` : date.slice(0, -5);
      }
      const time = text.slice(11, step >= 60 ? 16 : step >= 1 ? 19 : 23);
      const first = date !== day;
      day = date;
      return first ? `${time}\n${date}` : time;
    });
  }

  function seriesOf(chart, one) {
    const stroke = colour(one.tone);
    const isTime = chart.axis === 'time';
    const shown = (self, value, series, at) =>
      isTime ? number(value ?? latest(self.data[series], at)) : textOf(value);
    const base = { label: one.label, value: shown, scale: one.right ? 'right' : 'y' };
    if (one.form === 'points') {
      if (one.counts === undefined)
        return { ...base, stroke, fill: stroke, paths: () => null, points: { show: false } };
      const told = (self, value, _, at) => {
        const count = isMissing(self.cursor.idx) ? null : one.counts?.[at];
        if (isMissing(value) || !count)
          return `${number(one.counts?.reduce((sum, each) => sum + (each ?? 0), 0))} fills`;
        return `${number(one.quantities?.[at])} at ${number(value)}${count > 1 ? ` in ${count} fills` : ''}`;
      };
      return { ...base, value: told, stroke, fill: stroke, paths: () => null, points: { show: false } };
    }
    if (one.form === 'low' || one.form === 'high')
      return {
        ...base,
        stroke,
        width: 0.5,
        paths: uPlot.paths.stepped({ align: 1 }),
        points: { show: false },
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

  /** Markers of fills: those of one side that meet within three pixels are one, larger the more they are. */
  function drawMarkers(self, chart) {
    const { ctx } = self;
    const ratio = self.pxRatio ?? devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(self.bbox.left, self.bbox.top, self.bbox.width, self.bbox.height);
    ctx.clip();
    for (const one of chart.series) {
      if (one.form !== 'points') continue;
      const groups = new Map();
      one.values.forEach((price, at) => {
        if (price === null) return;
        const x = self.valToPos(chart.x[at], 'x', true);
        const column = Math.round(x / (3 * ratio));
        const count = one.counts?.[at] ?? 1;
        const size = one.quantities?.[at] ?? 1;
        const group = groups.get(column) ?? { x, worth: 0, size: 0, count: 0 };
        group.worth += price * size;
        group.size += size;
        group.count += count;
        groups.set(column, group);
      });
      const up = one.tone === 'buy' ? 1 : -1;
      ctx.fillStyle = colour(one.tone);
      ctx.strokeStyle = colour('card');
      ctx.lineWidth = ratio;
      for (const { x, worth, size, count } of groups.values()) {
        const y = self.valToPos(worth / size, 'y', true);
        const half = ratio * (groups.size > 150 ? 2.5 : 4) * (1 + Math.min(1, Math.log10(count) / 2));
        ctx.beginPath();
        if (one.tone === 'buy' || one.tone === 'sell') {
          ctx.moveTo(x, y - up * half * 1.2);
          ctx.lineTo(x - half, y + up * half * 0.8);
          ctx.lineTo(x + half, y + up * half * 0.8);
          ctx.closePath();
        } else ctx.arc(x, y, half, 0, 2 * Math.PI);
        ctx.fill();
        ctx.stroke();
      }
    }
    ctx.restore();
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
    // Times within a few seconds have milliseconds, and need more room.
    const space = (self, _, low, high) => (self.width < 500 && high - low > 10 ? 62 : 90);
    const time = { ...look, space, values: (_, ticks, __, ___, step) => timeTicks(ticks, step) };
    const number = { ...look, values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : short(tick))) };
    const x = chart.axis === 'time' ? time : number;
    const y = { ...look, values: (_, ticks) => ticks.map(short), size: (_, texts) => widthOf(texts) };
    const right = chart.series.find((one) => one.right);
    if (right === undefined) return [x, y];
    return [x, y, { ...y, scale: 'right', side: 1, stroke: colour(right.tone), grid: { show: false } }];
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
    const y = { range: (_, low, high) => flat(low, high) };
    return chart.series.some((one) => one.right) ? { x, y, right: y } : { x, y };
  }

  function draw(chart) {
    const place = document.querySelector(`[data-chart="${CSS.escape(chart.id)}"]`);
    if (place === null) return;
    drawn.get(chart.id)?.destroy();
    const width = Math.max(260, place.clientWidth);
    const wide = width > 600;
    const [high, low] = ['high', 'low'].map((form) => chart.series.findIndex((one) => one.form === form) + 1);
    const fill = `color-mix(in srgb, ${colour('second')} 22%, transparent)`;
    const last = chart.axis === 'time' ? chart.x.length - 1 : null;
    const options = {
      width,
      bands: high > 0 && low > 0 ? [{ series: [high, low], fill }] : [],
      hooks: {
        draw: [(self) => drawMarkers(self, chart)],
        // Without a pointer the legend shows the end of the run.
        ready: [(self) => last !== null && self.setLegend({ idx: last }, false)],
        setCursor: [
          (self) => last !== null && self.cursor.idx === null && self.setLegend({ idx: last }, false),
        ],
      },
      height: chart.id.startsWith('price-') ? (wide ? 380 : 280) : wide ? 260 : 220,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: scalesOf(chart),
      axes: axesOf(chart),
      cursor: chart.axis === 'time' ? { sync: { key: 'time', setSeries: false } } : {},
      series: [
        {
          label: chart.xLabel,
          value: (_, value) => (chart.axis === 'time' ? utc(value) : textOf(value)),
        },
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
