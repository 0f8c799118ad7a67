import { thrownBy } from '../recording/index.ts';
import { readTextLines } from './opened-file.ts';

/**
 * Items that `read` makes of the lines of a text file, in batches; `undefined` is nothing. Blank lines are left out. What stands
 * before a line that is refused is given before the refusal is thrown.
 */
export async function* itemsOfLines<Item>(
  path: string,
  read: (line: Uint8Array, number: number) => Item | undefined,
): AsyncGenerator<readonly Item[], void, undefined> {
  for await (const { number, lines } of readTextLines(path)) {
    const items: Item[] = [];
    const refusal = thrownBy(() => {
      for (let i = 0; i < lines.length; i++) {
        const line = lines[i] as Uint8Array;
        const item = line.length === 0 ? undefined : read(line, number + i);
        if (item !== undefined) items.push(item);
      }
    });
    if (items.length > 0) yield items;
    if (refusal !== undefined) throw refusal.error;
  }
}
