import { foldBookStates } from '../../data/recording/book-states.ts';
import { openData } from '../../data/open/market-data.ts';
import { tellsPartial } from '../../data/formats/partial-recording.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import type { ToldOptions } from './told-options.ts';
import { openOptionsOf } from './told-options.ts';

/** Prints the books a recording ends in, with their hashes. */
export async function printBooks(
  files: readonly string[],
  json: boolean,
  output: Output,
  told: ToldOptions = {},
): Promise<number> {
  const recording = await openData(files, openOptionsOf(told));
  const states = (
    await foldBookStates(recording.instruments, recording.events(), recording.printing)
  ).toJSON();
  const lost = recording.findings.filter(tellsPartial);
  for (const finding of lost) output.progress(`data: ${finding}`);
  const code = lost.length > 0 ? exitCodes.failed : exitCodes.done;
  if (json) {
    output.data(JSON.stringify(states));
    return code;
  }
  if (Object.keys(states).length === 0) output.progress('data: there is no book in it');
  for (const [symbol, state] of Object.entries(states)) {
    const bid = state.best_bid === null ? '-' : state.best_bid.join(' x ');
    const ask = state.best_ask === null ? '-' : state.best_ask.join(' x ');
    output.data(
      `${symbol.padEnd(12)} sequence ${state.last_seq}  bids ${state.bids}  asks ${state.asks}  ${bid} / ${ask}  ${state.book_sha256}`,
    );
  }
  return code;
}
