/** Colours a terminal text, or leaves it as it is. */
export type Color = (text: string, tone: Tone) => string;
export type Tone = 'good' | 'bad' | 'dim' | 'strong';

const codes: Readonly<Record<Tone, string>> = { good: '32', bad: '31', dim: '2', strong: '1' };

/** Colours for a terminal (`colours`) or for a file. */
export function colorOf(colours: boolean): Color {
  return colours ? (text, tone) => `\u001B[${codes[tone]}m${text}\u001B[0m` : (text) => text;
}

/** The warning of a title, as a line below it. */
export function warningLines(warning: string, color: Color): readonly string[] {
  return warning === '' ? [] : [color(warning.toUpperCase().slice(0, 1) + warning.slice(1), 'bad')];
}

/** `good` above zero, `bad` below. `text` is a plain decimal. */
export function toneOf(text: string): Tone {
  if (text.startsWith('-')) return 'bad';
  return /[1-9]/.test(text) ? 'good' : 'dim';
}
