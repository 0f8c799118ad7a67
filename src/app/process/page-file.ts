import { BadInput } from '../../core/base/errors.ts';
import type { ReportDocument, Summary } from '../../research/report/index.ts';
import { closedTradesCsv, storePage, storeTrades, prepareFile } from '../../research/report/index.ts';
import type { Output } from './output.ts';

/** Looks whether a page can be written where a person wants it, before a long run. Throws `BadInput` when not. */
export function preparePage(html: string | undefined, trades?: string): void {
  if (html !== undefined) prepareFile('--html', html);
  if (trades !== undefined) prepareFile('--trades', trades);
}

/** As `writePage`, closed trades as CSV. */
export function writeTrades(path: string | undefined, summary: Summary, output: Output): boolean {
  if (path === undefined) return true;
  return written('the trades were not written', output, () => storeTrades(path, closedTradesCsv(summary)));
}

/** Writes the page if one is wanted and prints its path, or the reason for failure. Returns whether it succeeded. */
export function writePage(html: string | undefined, document: ReportDocument, output: Output): boolean {
  if (html === undefined) return true;
  if (!written('the page was not written', output, () => storePage(html, document))) return false;
  output.progress(`report: ${html}`);
  return true;
}

function written(what: string, output: Output, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    output.progress(`${what}: ${error.message}`);
    return false;
  }
}
