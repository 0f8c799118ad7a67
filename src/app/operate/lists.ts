/** Commands that print one list of a running daemon: what the interface calls it, and what it is. */
export const seenLists = [
  { verb: 'orders', name: 'orders', text: 'orders that may be live' },
  { verb: 'positions', name: 'positions', text: 'what strategies hold, with profit' },
  { verb: 'balances', name: 'balances', text: 'balances of the account' },
  { verb: 'trades', name: 'fills', text: 'the last own fills, the newest first' },
  { verb: 'limits', name: 'limits', text: 'how much of each limit is used' },
] as const;
