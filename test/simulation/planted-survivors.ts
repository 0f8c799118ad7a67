/** Defects that no seed shows, each with the reason: what they change is out of the simulated world, or comes to the same. */
export const survivors: Readonly<Record<string, string>> = {
  'a repeated update is applied again': 'levels are absolute: the same update twice comes to the same book',
  'lists are read of declared products alone':
    'strategies of a seed trade the same products in every run, so that no order is of another one',
  'the comparator looks at nothing': 'it differs only where another defect changes a command on its way',
  'a failure of the journal stops new orders alone':
    'it halts trading as well, and what waits for the disk then waits until its deadline',
  'an older report changes the price': 'the price of an order never changes under its id',
  'a report without a stop price takes it away':
    'no strategy replaces an order that waits for its stop price, and other orders keep theirs',
  'an order that was found is proved absent later':
    'what a look finds is reported by it, so that the order is not weighed again',
  'what left on a lost connection is not settled':
    'the loss of the session is reported beside it, and settles the same',
  'a session that is down lets orders out':
    'the client lets nothing out without its session either, and says at once that the order did not leave',
  'a limit order needs no price':
    'a price that is not there is no whole number of ticks, and is denied as that',
  'after a gap the next update is the base':
    'a book that is stale takes no update until a snapshot, whatever passed the check of gaps',
  'an account of margin need not be open':
    'nothing is free on an account that is not open, so that the control of margin denies the same order',
  'a replacement forgets when it was replaced':
    'an order that was made by a replacement also says when it was made, by the clock of the same process',
  'a balance that comes again is news after a read':
    'each read forgets what was notified, so that the loss of a connection has nothing more to forget',
  'a timer of silence is not set again':
    'the client gives each command up after a shorter time by a timer of its own, and says so of each',
};
