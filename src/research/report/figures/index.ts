/** Figures of a run, and doubts about them. */
export type { CurrencyMeasures, DrawnMoney, RunStatistics } from './measures.ts';
export { calendarOfRun, dailyReturns, measuresOf, runStatistics } from './measures.ts';
export { assumedFees, dataDoubts, notesOn, runDoubts, trialDoubts, unlikelyFees } from './run-doubts.ts';
export type { BandResult, BandRun, FillAssumption, TrialCount } from './trials.ts';
export { appendTrial, edgeOf, partsOfBand, trialsOn } from './trials.ts';
