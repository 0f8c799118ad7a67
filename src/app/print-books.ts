import { foldBookStates } from '../feed/book-states.ts';
import { openRecording } from '../feed/recording.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

/** Prints the books a recording ends in, with their hashes. */
export async function printBooks(files: readonly string[], json: boolean, output: Output): Promise<number> {
  const recording = await openRecording(files);
  const states = (await foldBookStates(recording.instruments, recording.events())).toJSON();
  if (json) {
    output.data(JSON.stringify(states));
    return exitCodes.done;
  }
  for (const [symbol, state] of Object.entries(states)) {
    const bid = state.best_bid === null ? '-' : state.best_bid.join(' x ');
    const ask = state.best_ask === null ? '-' : state.best_ask.join(' x ');
    output.data(
      `${symbol.padEnd(12)} sequence ${state.last_seq}  bids ${state.bids}  asks ${state.asks}  ${bid} / ${ask}  ${state.book_sha256}`,
    );
  }
  return exitCodes.done;
}
