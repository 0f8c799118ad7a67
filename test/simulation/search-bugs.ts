import type { GroupTask } from './group-search.ts';
import { GroupSearch } from './group-search.ts';

const search = new GroupSearch();

/** Looks for the defects that its parent names, one group after the other. */
process.on('message', (task: GroupTask) => {
  void search.look(task).then((end) => process.send?.(end));
});
