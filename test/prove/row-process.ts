import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measureRow } from './measure-row.ts';
import type { Figure } from './row.ts';
import { rowsOf } from './rows-of.ts';
import { RowState } from './state.ts';

/** What the runner asks of this process. */
export interface RowTask {
  readonly name: string;
  readonly isShort: boolean;
  /** Where pieces are kept. */
  readonly directory: string;
}

/** What this process answers. */
export type RowAnswer =
  | { readonly kind: 'told'; readonly line: string }
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | { readonly kind: 'failed'; readonly why: string };

// The processes that rows start find what Node has compiled where those of the launcher do.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('../../node_modules/.cache/godwit', import.meta.url),
);

const stopping = new AbortController();

function answer(what: RowAnswer): void {
  if (process.connected) process.send?.(what);
}

async function stop(): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort(new Error('stopped'));
  await wait(5_000);
  process.exit(130);
}

async function measure({ name, isShort, directory }: RowTask): Promise<void> {
  try {
    const row = (await rowsOf()).find((each) => each.name === name);
    if (row === undefined) throw new Error(`there is no row ${name}`);
    const figures = await measureRow({
      row,
      state: new RowState(directory, name),
      isShort,
      stopped: stopping.signal,
      tell: (line) => answer({ kind: 'told', line }),
    });
    answer({ kind: 'figures', figures });
  } catch (error) {
    answer({ kind: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  // Whatever the row has left behind, its process ends.
  process.off('disconnect', onDisconnect);
  if (process.connected) process.disconnect?.();
  process.exit();
}

function onDisconnect(): void {
  void stop();
}

process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());
process.on('disconnect', onDisconnect);
process.once('message', (task: RowTask) => void measure(task));
