import { listViews } from '../../operate/views/all.ts';

/** Commands that print one list of a running daemon: what the interface calls it, and what it is. */
export const seenLists: readonly SeenList[] = [
  { verb: 'orders', name: 'orders', text: 'orders that may be live' },
  { verb: 'positions', name: 'positions', text: 'what strategies hold, with profit' },
  { verb: 'margin', name: 'margin', text: 'margin accounts that are open, with their positions' },
  { verb: 'balances', name: 'balances', text: 'wallets and margin accounts, with what is reserved in each' },
  { verb: 'trades', name: 'fills', text: 'the last own fills, the newest first' },
  { verb: 'limits', name: 'limits', text: 'how much of each limit is used' },
  {
    verb: 'controls',
    name: 'controls',
    text: 'the codes by which orders are refused, with how often each one did; the most frequent first',
  },
  ...listViews.map(({ name, text }) => ({ verb: name, name, text })),
];

interface SeenList {
  readonly verb: string;
  readonly name: string;
  readonly text: string;
}
