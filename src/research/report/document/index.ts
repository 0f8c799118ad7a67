/** The document of a report: sections, figures and doubts. */
export type {
  ChartSeries,
  Doubt,
  DoubtCode,
  ReportChart,
  ReportDocument,
  ReportFigure,
  ReportSection,
  ReportTable,
} from './document.ts';
export {
  damageOf,
  documentSchema,
  doubt,
  doubtCodes,
  exitSentence,
  figureOf,
  isMarkedReport,
  warningOf,
} from './document.ts';
export type { Cell, FigureKey } from './figure-text.ts';
export {
  absent,
  amountText,
  basisPointText,
  durationText,
  figureWith,
  gated,
  moneyText,
  numberText,
  percentShare,
  percentText,
  ratioText,
  sampled,
  spanText,
  statistic,
} from './figure-text.ts';
