/** The document of a report: sections, figures and doubts. */
export type { FigureKey } from './definitions.ts';
export type {
  ChartSeries,
  ReportChart,
  ReportDocument,
  ReportFigure,
  ReportSection,
  ReportTable,
} from './document.ts';
export { documentSchema, figureOf } from './document.ts';
export type { Doubt, DoubtCode } from './doubts.ts';
export { doubt, doubtCodes, exitSentence, warningOf } from './doubts.ts';
export {
  absent,
  amountText,
  basisPointText,
  durationText,
  figureWith,
  moneyText,
  numberText,
  percentText,
  ratioText,
  sampled,
  spanText,
  statistic,
} from './figure-text.ts';
export type { Cell } from './table-cell.ts';
export { gated, percentShare } from './table-cell.ts';
