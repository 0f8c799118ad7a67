/** Sections of a report. */
export type { AccountState, RunProfitText, StoppedStrategy } from './account.ts';
export { accountSection, marginSection, runFigures } from './account.ts';
export { chartsOf } from './charts.ts';
export { closedTradesCsv, tradeTable, tradesSection } from './closed-trades.ts';
export { executionSection, markoutTable } from './execution.ts';
export type { ReportedSetting } from './identity.ts';
export {
  identified,
  identitySection,
  isOfSettings,
  parametersKey,
  settingSections,
  settingsKey,
} from './identity.ts';
export type { MoneyPart } from './money.ts';
export { drawdownTable, monthTable, ratiosSection, returnSection, riskSection } from './money.ts';
export type { WalkForwardFigure } from './robustness.ts';
export { bootstrapFigures, robustnessSection, walkForwardFigure } from './robustness.ts';
export type { CurrencyResult, InstrumentResult, RunReport } from './run.ts';
export { runReport } from './run.ts';
