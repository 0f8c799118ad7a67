import { BadInput } from '../../base/errors.ts';
import type { ReportDocument } from '../../report/report-document.ts';
import { storePage } from '../../report/stored-report.ts';
import { prepareFile } from '../../report/target-file.ts';
import type { Output } from './output.ts';

/** Looks whether a page can be written where a person wants it, before a long run. Throws `BadInput` when not. */
export function preparePage(html: string | undefined): void {
  if (html !== undefined) prepareFile('--html', html);
}

/** Writes the page where one is wanted and tells where it is, or why not: whether all was done. */
export function writePage(html: string | undefined, document: ReportDocument, output: Output): boolean {
  if (html === undefined) return true;
  try {
    storePage(html, document);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    output.progress(`the page was not written: ${error.message}`);
    return false;
  }
  output.progress(`report: ${html}`);
  return true;
}
