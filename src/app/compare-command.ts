import { compareDocuments, comparisonText } from '../research/report/compare-documents.ts';
import { reportAt } from './live/journal-report.ts';
import { exitCodes } from './process/exit-codes.ts';
import type { Output } from './process/output.ts';

export interface CompareCommand {
  /** Run directories, or stored reports. */
  readonly a: string;
  readonly b: string;
  readonly json: boolean;
  readonly expectEqual: boolean;
  readonly output: Output;
}

/** `godwit compare`: where two reports part. Throws `NotFound` when one is missing, `BadInput` when it is no report. */
export function compareCommand({ a, b, json, expectEqual, output }: CompareCommand): number {
  const comparison = compareDocuments(reportAt(a), reportAt(b));
  output.data(json ? JSON.stringify({ a, b, ...comparison }) : comparisonText(comparison));
  return expectEqual && !comparison.equal ? exitCodes.checkFailed : exitCodes.done;
}
