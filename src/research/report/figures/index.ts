/** Figures of a run, and doubts about them. */
export type { BandResult, BandRun, FillAssumption } from './band.ts';
export { edgeOf, partsOfBand } from './band.ts';
export type { CurrencyMeasures, DrawnMoney, RunStatistics } from './measures.ts';
export { calendarOfRun, dailyReturns, measuresOf, runStatistics } from './measures.ts';
export { assumedFees, dataDoubts, runDoubts, trialDoubts, unlikelyFees } from './run-doubts.ts';
export { notesOn } from './run-notes.ts';
export type { TrialCount } from './trial-log.ts';
export { appendTrial, trialsOn } from './trial-log.ts';
