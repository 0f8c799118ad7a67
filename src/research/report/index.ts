/** Reports of runs, put together, compared and stored. */
export { compareDocuments, comparisonText } from './compare-documents.ts';
export type {
  ChartSeries,
  Doubt,
  DoubtCode,
  ReportChart,
  ReportDocument,
  ReportFigure,
  ReportSection,
  ReportTable,
} from './document/index.ts';
export {
  documentSchema,
  doubt,
  doubtCodes,
  durationText,
  exitSentence,
  figureOf,
  numberText,
  warningOf,
} from './document/index.ts';
export type { BandResult, BandRun, FillAssumption, TrialCount } from './figures/index.ts';
export {
  appendTrial,
  assumedFees,
  dataDoubts,
  trialDoubts,
  trialsOn,
  unlikelyFees,
} from './figures/index.ts';
export type {
  BookedTrip,
  EquityLine,
  OrderCounts,
  OwnOrder,
  RowCharge,
  RowFill,
  RowHolding,
  RunAt,
  RunRows,
  SessionHolding,
  SmallSize,
  SummaryDeps,
} from './fold/index.ts';
export { Marks, Opening, OrderTally, RunSigns, Summary, runAtOf, withoutNoise } from './fold/index.ts';
export type { DocumentSetting } from './make-documents.ts';
export { dailySharpe, makeDocument, walkDocument, withoutPrices } from './make-documents.ts';
export type { StatusMoment } from './render/index.ts';
export { StatusLine, colorOf, headLines, renderDocument, renderReport, reportJson } from './render/index.ts';
export type {
  AccountState,
  ReportedSetting,
  RunProfitText,
  RunReport,
  StoppedStrategy,
} from './sections/index.ts';
export {
  closedTradesCsv,
  identified,
  identitySection,
  runFigures,
  runReport,
  settingSections,
} from './sections/index.ts';
export {
  makeFolder,
  prepareFile,
  prepareStream,
  readReport,
  reportFile,
  sessionsFolder,
  storePage,
  storeReport,
  storeSession,
  storeTrades,
} from './stored.ts';
