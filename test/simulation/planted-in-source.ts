import type { SourceChange } from './planted-source.ts';

/** Defects of the judgement of orders, and of what becomes of them. */
const orderBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'a refused replacement leaves no doubt about the original': [
    { file: 'orders/fates.ts', from: 'missing.doubt(original);\n      this.#parts.lookSoon();', to: '' },
  ],
  'a list older than a report counts': [
    { file: 'orders/missing-orders.ts', from: 'this.#heard.has(clientOrderId) || ', to: '' },
  ],
  'reserved balance that nothing explains is ignored': [
    {
      file: 'orders/missing-orders.ts',
      from: 'millis(options.absentMs), unexplained)',
      to: 'millis(options.absentMs), false)',
    },
  ],
  // One alone is covered by the other: the session settles what was in flight, and its loss is told.
  'a lost session makes nothing unknown': [
    { file: 'orders/order-manager.ts', from: 'this.#fates.sessionLost(event.why);', to: '' },
    {
      file: 'client/account-intake.ts',
      from: "if (leavesBySocket(command)) this.#settle(command, 'unanswered');",
      to: 'void command;',
    },
  ],
  'holds of unknown orders are dropped': [
    {
      file: 'orders/hold-keeper.ts',
      from: '      !mayBeLive(order.state) ||\n',
      to: "      !mayBeLive(order.state) || order.state === 'unknown' ||\n",
    },
  ],
  'a replacement inherits nothing': [
    { file: 'state/orders.ts', from: 'entry.inherited = original.order.cumulative;\n    if (!', to: 'if (!' },
    { file: 'state/orders.ts', from: 'entry.inherited = original.order.cumulative;\n    this', to: 'this' },
    {
      file: 'state/order-ledger.ts',
      from: 'if (replacement.inherited < entry.order.cumulative) {',
      to: 'if (entry.order.cumulative < 0) {',
    },
  ],
  'what an original executes later is not inherited': [
    {
      file: 'state/order-ledger.ts',
      from: 'if (replacement.inherited < entry.order.cumulative) {',
      to: 'if (entry.order.cumulative < 0) {',
    },
  ],
  'a refused cancel is told as done': [
    {
      file: 'client/account-intake.ts',
      from: "    if (verdict.outcome === 'refused' || verdict.outcome === 'limited') {\n",
      to: "    if (command.kind === 'cancelOrder' && verdict.outcome === 'refused') {\n      this.#settle(command, 'acknowledged');\n      return;\n    }\n    if (verdict.outcome === 'refused' || verdict.outcome === 'limited') {\n",
    },
  ],
};

/** Defects of the gate, of the state, of connections and of the disk. */
const otherBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'commits of the journal do not wait for the disk': [
    {
      file: 'journal/journal-file.ts',
      from: 'WAL; PRAGMA synchronous = FULL',
      to: 'WAL; PRAGMA synchronous = NORMAL',
    },
  ],
  'stale inputs pass the gate': [
    { file: 'gate/freshness.ts', from: "if (book.status !== 'live' || book.crossed) {", to: 'if (false) {' },
  ],
  'fills are known without their side': [
    {
      file: 'state/booked-fills.ts',
      from: '{ slot: slotOf(fill.instrument, fill.side)',
      to: "{ slot: slotOf(fill.instrument, 'buy')",
    },
    {
      file: 'state/booked-fills.ts',
      from: 'this.#known[slotOf(fill.instrument, fill.side)]',
      to: "this.#known[slotOf(fill.instrument, 'buy')]",
    },
  ],
  'silence of a socket is noticed after 80 s': [
    { file: 'client/options.ts', from: 'silenceMs: ms(8_000,', to: 'silenceMs: ms(80_000,' },
  ],
  'a latched halt is cleared by a plain stop': [
    {
      file: 'state/mode.ts',
      from: "if (this.latched && event.mode === 'halted' && !event.latched) return;",
      to: '',
    },
  ],
};

/** Every defect planted in the source, by name: what would be changed by hand, and where. */
export const sourceBugs: Readonly<Record<string, readonly SourceChange[]>> = { ...orderBugs, ...otherBugs };
