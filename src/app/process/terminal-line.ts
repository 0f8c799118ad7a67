import { cutToWidth } from '../../core/base/display-width.ts';
import { terminalText } from './terminal-text.ts';

/** Writes over one line of standard error, when that is a terminal. */
export function terminalLine(): ((text: string) => void) | undefined {
  const { stderr } = process;
  if (!stderr.isTTY) return undefined;
  return (text) =>
    void stderr.write(`\r${cutToWidth(terminalText(text, false), (stderr.columns || 80) - 1)}\u001B[K`);
}
