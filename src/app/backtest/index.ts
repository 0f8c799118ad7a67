/** Backtests: a run of a scenario, and its result. */
export type { BarRunResult } from './bar-run.ts';
export { barTimes } from './bar-source.ts';
export type { GradeLabel } from './grade.ts';
export { GradedReading, gradeIdentity } from './grade.ts';
export type { FedRecording } from './received-feed.ts';
export { openReceivedFeed } from './received-feed.ts';
export type { ReportOptions } from './report.ts';
export { attemptOnDisk, walkDirectory, walksIn } from './report.ts';
export type { FedMarket } from './run-feed.ts';
export type { NamedScenario, Subject } from './subject.ts';
export { hashedFiles, subjectOf, subjectOfFile, subjectOfRecordings } from './subject.ts';
