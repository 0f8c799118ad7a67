import type { ReportChart, ReportDocument, ReportFigure } from './document/index.ts';

/** Figures of these, or of these sections, need prices of the market, its books or its rates. */
const priced = [
  'return.start',
  'return.end',
  'return.profit',
  'return.share',
  'return.annual',
  'return.hold',
  'return.exposure',
  'risk.',
  'ratios.',
  'execution.queueAhead',
  'execution.markout',
  'execution.slippage',
  'execution.rounding',
  'robustness.',
] as const;

/** Of these what fills and orders alone determine. */
const filled: ReadonlySet<string> = new Set([
  'risk.inventoryMax',
  'risk.inventoryEnd',
  'ratios.profitFactor',
  'ratios.expectancy',
  'ratios.sqn',
  'ratios.trials',
  'robustness.band',
  'robustness.walkForward',
]);

const pricedCharts = ['price-', 'profit-', 'underwater-', 'markout'] as const;

/**
 * A report of a run of which only its own records are known: figures that need market data get the reason instead.
 * `flat`: nothing is held at the end, so the profit is what the fills brought.
 */
export function withoutPrices(document: ReportDocument, reason: string, flat: boolean): ReportDocument {
  const known = (figure: ReportFigure): ReportFigure => {
    const { key, label, definition, group } = figure;
    const isKnown = filled.has(key) || (flat && key === 'return.profit') || !startsWithAny(key, priced);
    if (isKnown || figure.reason !== undefined) return figure;
    return { key, label, definition, ...(group === undefined ? {} : { group }), reason };
  };
  return {
    ...document,
    sections: document.sections.map((section) => ({
      ...section,
      figures: section.figures.map(known),
      tables: section.key === 'return' ? [] : section.tables,
    })),
    charts: document.charts.filter(({ id }: ReportChart) => !startsWithAny(id, pricedCharts)),
  };
}

function startsWithAny(text: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => text.startsWith(beginning));
}
