import { renderDocument, compareDocuments, comparisonText } from '../research/report/index.ts';
import { reportAt } from './live/index.ts';
import { exitCodes } from './process/exit-codes.ts';
import type { Output } from './process/output.ts';
import { preparePage, writePage } from './process/page-file.ts';

export interface ReportCommand {
  /** A run directory, or a stored report. */
  readonly path: string;
  readonly json: boolean;
  /** Every figure and table on the terminal. */
  readonly full?: boolean | undefined;
  /** Where to write the page, when one is wanted. */
  readonly html: string | undefined;
  readonly output: Output;
}

/** `godwit report`: shows a stored report again. Throws `NotFound` when there is none. */
export function reportCommand({ path, json, html, full = false, output }: ReportCommand): number {
  const document = reportAt(path);
  preparePage(html);
  output.data(json ? JSON.stringify(document) : renderDocument(document, { colours: output.colour, full }));
  return writePage(html, document, output) ? exitCodes.done : exitCodes.failed;
}

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
