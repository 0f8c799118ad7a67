import type { Search } from './run-bugs.ts';
import { search } from './run-bugs.ts';

/** Looks for the defects that its parent names, one after the other. */
process.on('message', (one: Search) => {
  void search(one).then((end) => process.send?.(end));
});
