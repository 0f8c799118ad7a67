import { withoutZeros } from '../../../core/base/number-text.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type {
  ReportChart,
  ReportDocument,
  ReportFigure,
  ReportSection,
  ReportTable,
} from '../document/index.ts';
import { figureOf, spanText } from '../document/index.ts';
import { isOfSettings } from '../sections/identity.ts';
import { moneys, wholeMoneys } from '../../../core/model/pair.ts';

/** Charts of the result, by the beginning of their names: they stand above all sections, in this order. */
const resultCharts = ['profit-', 'price-', 'underwater-', 'equity-', 'inventory-', 'sharpe-', 'objective'];

/** Which other charts stand in which section. */
const chartPlaces: Readonly<Record<string, readonly string[]>> = {
  trades: ['results-', 'holding-'],
  execution: ['markout', 'time-to-fill', 'acknowledgement'],
};

/** What a run was made of stands behind what it made. */
const lastSections: ReadonlySet<string> = new Set(['parameters', 'settings', 'identity']);

const tileKeys = [
  'return.profit',
  'return.share',
  'risk.drawdown',
  'ratios.sharpe',
  'trades.count',
  'execution.fills',
  'execution.makerShare',
  'robustness.band',
  'sweep.best',
  'sweep.median',
  'sweep.positive',
  'sweep.tried',
  'sweep.failed',
  'walk.profit',
  'walk.winning',
  'robustness.walkForward',
] as const;

/**
 * The report as one HTML file that needs nothing else: styles, charts and the chart library are inside, and the page
 * forbids itself the network. Texts are escaped wherever they come from.
 */
export function htmlPage(document: ReportDocument): string {
  const { title, warning, command, span, sections, charts, notes } = document;
  const fullTitle = warning === '' ? title : `${title} (${warning})`;
  const { library, styles } = chartLibrary();
  const shown = [
    ...sections.filter(({ key }) => !lastSections.has(key)),
    ...sections.filter(({ key }) => lastSections.has(key) && key !== 'identity'),
    ...sections.filter(({ key }) => key === 'identity'),
  ];
  const result = resultCharts.flatMap((place) => charts.filter(({ id }) => id.startsWith(place)));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="generator" content="Godwit">
<title>${escaped(fullTitle)}</title>
<style>
${styles}
${own('../../../../core/base/colours.css')}${own('page.css')}</style>
</head>
<body>
<main>
<header>
<h1>${escaped(title)}</h1>
${span === undefined ? '' : `<p class="span">${escaped(spanText(span))}</p>`}
${command === undefined ? '' : `<p class="command"><code>${escaped(command)}</code></p>`}
${warning === '' ? '' : `<p class="warning" role="alert">${escaped(warning)}</p>`}
<div class="tiles">${tileKeys.map((key) => tile(figureOf(document, key))).join('')}</div>
<nav>${shown.map(({ key, title: name }) => `<a href="#${escaped(key)}">${escaped(name)}</a>`).join('')}</nav>
</header>
${result.map(chartHtml).join('\n')}
${shown.map((section) => sectionHtml(section, charts)).join('\n')}
${notes.length === 0 ? '' : `<section id="notes"><h2>Notes</h2><ul class="notes">${notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul></section>`}
<footer>Point at a number, or tap it, for its definition. Times are UTC. Drag over a chart to zoom, double-click to return.</footer>
</main>
<script id="charts" type="application/json">${scriptJson(charts)}</script>
<script>
/* uPlot, MIT licence, copyright Leon Sorokin. */
${library}
</script>
<script>
${own('page.js')}</script>
</body>
</html>
`;
}

function tile(figure: ReportFigure | undefined): string {
  if (figure?.value === undefined) return '';
  const { label, group, value, definition } = figure;
  const name = group === undefined ? label : `${label}, ${group}`;
  const text = shownOn(value);
  return `<div class="tile${text.length > 20 ? ' wide' : ''}" title="${escaped(definition)}"><span>${escaped(name)}</span><b${tone(figure)}>${escaped(text)}</b></div>`;
}

/** What is green above 0 and red below. */
const coloured: ReadonlySet<string> = new Set(['return.profit', 'return.share', 'walk.profit']);

function tone({ key, number }: ReportFigure): string {
  if (!coloured.has(key)) return '';
  if (number === undefined || number === 0) return '';
  return number > 0 ? ' class="good"' : ' class="bad"';
}

function sectionHtml(section: ReportSection, charts: readonly ReportChart[]): string {
  const places = chartPlaces[section.key] ?? [];
  const own = charts.filter(({ id }) => places.some((place) => id.startsWith(place)));
  const wide = own.filter(({ axis }) => axis === 'time').map(chartHtml);
  const narrow = own.filter(({ axis }) => axis !== 'time').map(chartHtml);
  return `<section id="${escaped(section.key)}">
<h2>${escaped(section.title)}</h2>
${wide.join('\n')}
${narrow.length === 0 ? '' : `<div class="pair">${narrow.join('\n')}</div>`}
${isOfSettings(section) ? settingsHtml(section) : figuresHtml(section)}
${section.tables.map(tableHtml).join('\n')}
</section>`;
}

/** Figures without a group first, then each group under its name. */
function figuresHtml({ key, figures }: ReportSection): string {
  const groups = [...new Set(figures.map(({ group }) => group))];
  return groups
    .map((group) => {
      const rows = figures
        .filter((figure) => figure.group === group)
        .map((figure) => figureHtml(figure, key));
      const name = group === undefined ? '' : `<h3>${escaped(group)}</h3>`;
      return `${name}<div class="figures${key === 'identity' ? ' wide' : ''}">${rows.join('')}</div>`;
    })
    .join('\n');
}

/** Parameters or settings as a table, each with its default. */
function settingsHtml({ figures }: ReportSection): string {
  const groups = [...new Set(figures.map(({ group }) => group))];
  return groups
    .map((group) =>
      tableHtml({
        title: group ?? '',
        definition: 'What was set, and the default.',
        columns: ['name', 'value', 'default'],
        words: 3,
        rows: figures
          .filter((figure) => figure.group === group)
          .map(({ label, value = '', usual = '' }) => [label, value, usual]),
      }),
    )
    .join('\n');
}

/** The exact value under the pointer, where the page shows a shorter one. */
function exactly(value: string): string {
  return shownOn(value).replaceAll(',', '') === value ? '' : ` title="${escaped(value)}"`;
}

function figureHtml(figure: ReportFigure, key: string): string {
  const { label, definition, value, reason } = figure;
  const shown =
    value === undefined
      ? `<i>N/A</i><small>${escaped(reason ?? '')}</small>`
      : `<span${tone(figure)}${key === 'identity' ? '' : exactly(value)}>${escaped(key === 'identity' ? value : shownOn(value))}</span>`;
  return `<details class="figure" title="${escaped(definition)}"><summary><span class="label">${escaped(label)}</span><span class="value">${shown}</span></summary><p>${escaped(definition)}</p></details>`;
}

function chartHtml({ id, title, definition, axis, yLabel }: ReportChart): string {
  const unit = axis === 'number' || yLabel === '' ? '' : ` In ${yLabel}.`;
  return `<div class="chart"><h3>${escaped(title)}</h3><p>${escaped(`${definition}${unit}`)}</p><div class="plot" role="figure" aria-label="${escaped(title)}" data-chart="${escaped(id)}"></div></div>`;
}

/** The chart library as it is installed. */
function chartLibrary(): { readonly library: string; readonly styles: string } {
  const { resolve } = createRequire(import.meta.url);
  return {
    library: readFileSync(resolve('uplot/dist/uPlot.iife.min.js'), 'utf8').trimEnd(),
    styles: readFileSync(resolve('uplot/dist/uPlot.min.css'), 'utf8').trimEnd(),
  };
}

function own(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');
}

/** JSON inside a script element: nothing in it can end the element or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('&', String.raw`\u0026`);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, in elements and in quoted attributes. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => entities[found] ?? found);
}

/** A table with every row. Ends of cells and rows are left out, as HTML allows: a long one takes half the room. */
export function tableHtml(table: ReportTable): string {
  const { title, definition, columns, rows, words = 1, heat } = table;
  const head = columns.map((column) => `<th>${escaped(column)}`).join('');
  const units = columns.map((column) => /, ([A-Z][A-Z0-9]{1,9})$/.exec(column)?.[1]);
  const currencyAt = columns.indexOf('currency');
  const pricesAt = new Set(['entry price', 'exit price'].map((name) => columns.indexOf(name)));
  const moneyAt = new Set(['gross', 'fees', 'net profit'].map((name) => columns.indexOf(name)));
  const unitOf = (row: readonly string[], at: number): string | undefined =>
    units[at] ?? (moneyAt.has(at) && currencyAt >= 0 ? row[currencyAt] : undefined);
  const shaded = heat === undefined ? undefined : shadesOf(table);
  const body = rows.map((row, rowAt) => {
    const cells = row.map((cell, at) => {
      const unit = unitOf(row, at);
      const plain = pricesAt.has(at) ? nineDigits(cell) : cell;
      const text = at < words ? cell : unit === undefined ? shownOn(plain) : amountOn(cell, unit);
      return `<td${shaded?.(rowAt, at) ?? ''}>${escaped(text)}`;
    });
    return `<tr>${cells.join('')}`;
  });
  const name = title === '' ? '' : `<h3 title="${escaped(definition)}">${escaped(title)}</h3>`;
  return `${name}
<div class="scroll${rows.length > 45 ? ' long' : ''}" title="${escaped(definition)}"><table class="w${words}${heat === undefined ? '' : ' heat'}"><thead><tr>${head}<tbody>${body.join('')}</table></div>`;
}

/** An average price divides without end. */
function nineDigits(cell: string): string {
  const short = String(Number(Number(cell).toPrecision(9)));
  return cell === '' || short.includes('e') ? cell : short;
}

/** The shade of each cell that holds a number: by sign and size, or by its place between the lowest and the highest. */
function shadesOf({ rows, words = 1, heat }: ReportTable): (row: number, column: number) => string {
  const numbers = rows.map((row) =>
    row.map((cell, at) => (at < words ? Number.NaN : Number.parseFloat(cell))),
  );
  // The last column of months is that of whole years: its shades end where those of the largest month do.
  const compared = heat === 'signed' ? numbers.map((row) => row.slice(0, -1)) : numbers;
  const known = compared.flat().filter((value) => Number.isFinite(value));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const most = Math.max(Math.abs(low), Math.abs(high));
  return (row, column) => {
    const value = numbers[row]?.[column] ?? Number.NaN;
    if (!Number.isFinite(value)) return '';
    if (heat === 'signed') {
      const share = most === 0 ? 0 : Math.min(1, Math.abs(value) / most);
      return value === 0 ? '' : ` class="${value > 0 ? 'up' : 'down'}" style="--h:${percent(share)}"`;
    }
    return ` class="up" style="--h:${percent(high === low ? 1 : (value - low) / (high - low))}"`;
  };
}

function percent(share: number): string {
  return `${Math.round(8 + share * 52)}%`;
}

/** Currencies that are counted in hundredths, unless they have no fraction; all others have up to eight decimals. */
const counted: ReadonlySet<string> = new Set(moneys);

/** Decimals that an amount of a currency is shown with on the page; exact ones are in the JSON and under the pointer. */
export function pageDecimals(currency: string): number {
  if (wholeMoneys.has(currency)) return 0;
  return counted.has(currency) ? 2 : 8;
}

const number = /^-?\d+(?:\.\d+)?$/;

/** Digits in groups of three before the point: `1,234,567.89`. Other text comes back as it is. */
export function grouped(text: string): string {
  if (!number.test(text)) return text;
  const [digits = '', fraction] = text.split('.');
  const [, sign = '', whole = ''] = /^(-?)(.*)$/.exec(digits) ?? [];
  const first = whole.length % 3 || 3;
  const before = sign + [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])].join(',');
  return fraction === undefined ? before : `${before}.${fraction}`;
}

/** A plain decimal as an amount of a currency: rounded to its decimals, or to three digits where those would show nothing. */
export function amountOn(text: string, currency: string): string {
  if (!number.test(text)) return text;
  const decimals = pageDecimals(currency);
  const value = Number(text);
  const fixed = value.toFixed(decimals);
  if (value !== 0 && !/[1-9]/.test(fixed)) return plain(value);
  const short = decimals === 2 ? fixed : withoutZeros(fixed);
  return grouped(
    (text.split('.')[1]?.length ?? 0) <= decimals && decimals !== 2 ? withoutZeros(text) : short,
  );
}

/**
 * Numbers with a unit as the page shows them, such as `1 BTC`, `0.1 USDT to 2 USDT`, `12345 of 67890`. Anything that is no such
 * number stays as it is.
 */
export function shownOn(text: string): string {
  return text.replaceAll(
    /(?<![\w.:,-])(-?\d+(?:\.\d+)?)(?: ([A-Z][A-Z0-9]{1,9})\b)?(?![\w:]|[.,-]\d)/g,
    (_, digits, unit) =>
      unit === undefined
        ? grouped(String(digits))
        : `${amountOn(String(digits), String(unit))} ${String(unit)}`,
  );
}

/** Three digits that mean something, without an exponent. */
function plain(value: number): string {
  const size = Math.floor(Math.log10(Math.abs(value)));
  return withoutZeros(value.toFixed(Math.min(20, 2 - size)));
}
