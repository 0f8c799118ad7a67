import { describeThrownAt } from './thrown.ts';

/** Why a thread ended by an error. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it used up its memory';
  return `it threw ${describeThrownAt(error)}`;
}
