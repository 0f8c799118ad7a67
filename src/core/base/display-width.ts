const plain = /^[\x20-\x7e]*$/;
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const seen = /[^\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Zl}\p{Zp}]/u;
// oxlint-disable-next-line no-control-regex
const colour = /\u001b\[[\d;]*m/g;
let segmenter: Intl.Segmenter | undefined;

/** Characters as they are seen. Its tables take longer to load than most commands take, and most texts are plain. */
function clustersOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/**
 * How many columns of a terminal a text takes: two for characters of East Asian scripts and emoji, none for marks that stand on others
 * and for colours. Source: Unicode, "East Asian Width" (UAX 11).
 */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of clustersOf(text.replaceAll(colour, ''))) width += widthOf(segment);
  return width;
}

/** Columns of what is seen as one character. */
function widthOf(cluster: string): number {
  if (!seen.test(cluster)) return 0;
  return wide.test(cluster) ? 2 : 1;
}

/** The text with spaces behind it, so that it takes `width` columns. */
export function padRight(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The text with spaces before it, so that it takes `width` columns. */
export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** As much of the beginning of a text without colours as `width` columns hold. */
export function cutToWidth(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, width);
  let cut = '';
  let left = width;
  for (const { segment } of clustersOf(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    cut += segment;
  }
  return cut;
}

/** For each column of some rows, the columns of a terminal that its widest cell takes. */
export function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell));
  return widths;
}
