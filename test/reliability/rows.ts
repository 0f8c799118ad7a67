import type { Section } from './row.ts';
import { controlRows } from './rows-controls.ts';
import { budgetRows, evidenceRows, loadRows } from './rows-evidence.ts';
import { clockRows, diskRows, processRows } from './rows-machine.ts';
import { hostileRows, operatorRows, strategyRows } from './rows-people.ts';
import { networkRows, socketRows } from './rows-roads.ts';
import { invariantRows, ruleRows } from './rows-rules.ts';
import { securityRows } from './rows-security.ts';
import { tableRows } from './rows-table.ts';
import { venueRows } from './rows-venue.ts';

/** Every row of the page, in its order there. */
export const sections: readonly Section[] = [
  { title: 'Rules', about: 'Seven rules on which the rest stands.', rows: ruleRows },
  {
    title: 'Invariants',
    about: 'These hold after every simulated step, and at the end of every seed.',
    rows: invariantRows,
  },
  { title: 'Network', about: 'The line between us and the venue fails.', rows: networkRows },
  { title: 'Sockets', about: 'Market data and replies are lost, repeated or wrong.', rows: socketRows },
  { title: 'Venue', about: 'The venue answers late, wrongly or not at all.', rows: venueRows },
  { title: 'Process', about: 'The process is killed, stopped or starved.', rows: processRows },
  { title: 'Disk', about: 'The disk is full, slow, torn or damaged.', rows: diskRows },
  { title: 'Clock', about: 'Clocks step, drift and change their zone.', rows: clockRows },
  { title: 'Strategies', about: 'A strategy has bugs.', rows: strategyRows },
  { title: 'Operators', about: 'A person makes a mistake, or cannot be reached.', rows: operatorRows },
  { title: 'Hostile input', about: 'A peer sends what it should not.', rows: hostileRows },
  {
    title: 'Security',
    about:
      'Keys, the right to order, the journal and strategies are protected from other users, pages and peers.',
    rows: securityRows,
  },
  {
    title: 'Controls',
    about: 'Limits that no message of an operator can override.',
    rows: controlRows,
  },
  {
    title: 'Rules for every order',
    about:
      'Rules that each order is held against before it may leave, in the order in which they are asked. Tests marked *in flight* show that orders without an answer count.',
    rows: tableRows,
  },
  { title: 'Rate budgets', about: 'Requests stay within the rates of the venue.', rows: budgetRows },
  { title: 'Evidence', about: 'Ways in which faults are put, and how often.', rows: evidenceRows },
  { title: 'Load', about: 'Size and time.', rows: loadRows },
];
