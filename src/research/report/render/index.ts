/** A report as text and as a page. */
export { colorOf } from './ansi-color.ts';
export { headLines, renderDocument } from './document.ts';
export { renderReport, reportJson } from './render.ts';
export type { StatusMoment } from './text.ts';
export { StatusLine } from './text.ts';
