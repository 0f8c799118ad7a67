import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ReportChart, ReportDocument, ReportFigure, ReportSection, ReportTable } from './document.ts';
import { figureOf } from './document.ts';
import { numberText, spanText } from './figure-text.ts';
import { isOfSettings } from './setting-sections.ts';

/** Which charts stand in which section, by the beginning of their names. */
const chartPlaces: Readonly<Record<string, readonly string[]>> = {
  return: ['price-', 'profit-', 'equity-'],
  risk: ['underwater-', 'inventory-'],
  execution: ['markout', 'time-to-fill', 'acknowledgement'],
};

const tileKeys = [
  'return.profit',
  'return.share',
  'risk.drawdown',
  'ratios.sharpe',
  'trades.count',
  'execution.fills',
  'execution.makerShare',
  'robustness.band',
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
${own('page.css')}</style>
</head>
<body>
<main>
<header>
<h1>${escaped(title)}</h1>
${span === undefined ? '' : `<p class="span">${escaped(spanText(span))}</p>`}
${command === undefined ? '' : `<p class="command"><code>${escaped(command)}</code></p>`}
${warning === '' ? '' : `<p class="warning" role="alert">${escaped(warning)}</p>`}
<div class="tiles">${tileKeys.map((key) => tile(figureOf(document, key))).join('')}</div>
<nav>${sections.map(({ key, title: name }) => `<a href="#${escaped(key)}">${escaped(name)}</a>`).join('')}</nav>
</header>
${sections.map((section) => sectionHtml(section, charts)).join('\n')}
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
  const text = shortened(value);
  return `<div class="tile${text.length > 20 ? ' wide' : ''}" title="${escaped(definition)}"><span>${escaped(name)}</span><b${tone(figure)}>${escaped(text)}</b></div>`;
}

/** Exact money may have two dozen digits: a tile shows five that mean something. */
function shortened(value: string): string {
  return value.replaceAll(/-?\d+\.\d{5,}/g, (number) => numberText(Number(Number(number).toPrecision(5))));
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
      const rows = figures.filter((figure) => figure.group === group).map(figureHtml);
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

function figureHtml(figure: ReportFigure): string {
  const { label, definition, value, reason } = figure;
  const shown =
    value === undefined
      ? `<i>N/A</i><small>${escaped(reason ?? '')}</small>`
      : `<span${tone(figure)}>${escaped(value)}</span>`;
  return `<details class="figure" title="${escaped(definition)}"><summary><span class="label">${escaped(label)}</span><span class="value">${shown}</span></summary><p>${escaped(definition)}</p></details>`;
}

function tableHtml({ title, definition, columns, rows, words = 1 }: ReportTable): string {
  const side = (column: number): string => (column < words ? ' class="word"' : '');
  const head = columns.map((column, i) => `<th${side(i)}>${escaped(column)}</th>`).join('');
  const body = rows.map(
    (row) => `<tr>${row.map((cell, i) => `<td${side(i)}>${escaped(cell)}</td>`).join('')}</tr>`,
  );
  const name = title === '' ? '' : `<h3 title="${escaped(definition)}">${escaped(title)}</h3>`;
  return `${name}
<div class="scroll${rows.length > 45 ? ' long' : ''}" title="${escaped(definition)}"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => entities[found] ?? found);
}

/** JSON inside a script element: nothing in it can end the element or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('&', String.raw`\u0026`);
}
