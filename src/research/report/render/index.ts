/** A report as text and as a page. */
export { colorOf, headLines, renderDocument, renderReport, reportJson } from './terminal.ts';
export type { StatusMoment } from './text.ts';
export { StatusLine } from './text.ts';
