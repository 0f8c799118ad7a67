import { controlBugs } from './planted-on-controls.ts';
import { lifeBugs } from './planted-on-orders.ts';
import { venueBugs } from './planted-on-venue.ts';
import { ledgerBugs } from './planted-on-ledger.ts';
import { actBugs } from './planted-on-acts.ts';
import { gatewayBugs } from './planted-on-gateway.ts';
import { lossBugs } from './planted-on-losses.ts';
import { marginBugs } from './planted-on-margin.ts';
import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

/** Defects of the judgement of orders, and of what becomes of them. */
const orderBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'a refused replacement leaves no doubt about the original': [
    {
      file: 'core/orders/in-flight-tracker.ts',
      from: 'missing.doubt(original);\n      this.#parts.watches.inDoubt();',
      to: '',
    },
  ],
  'a list older than a report counts': [
    { file: 'core/orders/missing.ts', from: 'this.#heard.has(clientOrderId) || ', to: '' },
  ],
  'reserved balance that nothing explains is ignored': [
    {
      file: 'core/orders/missing.ts',
      from: 'millis(options.absentMs), unexplained)',
      to: 'millis(options.absentMs), false)',
    },
  ],
  // One alone is covered by the other: the session settles what was in flight, and its loss is reported.
  'a lost session makes nothing unknown': [
    { file: 'core/orders/manager.ts', from: 'this.#tracker.sessionLost(why);', to: '' },
    {
      file: 'venues/hitbtc/client/account/private-stream.ts',
      from: "if (leavesBySocket(command)) this.#settleCommand(command, 'unanswered');",
      to: 'void command;',
    },
  ],
  'holds of unknown orders are dropped': [
    {
      file: 'core/orders/reservation-keeper.ts',
      from: 'if (!mayBeLive(order.state) ||',
      to: "if (!mayBeLive(order.state) || order.state === 'unknown' ||",
    },
  ],
  'a replacement inherits nothing': [
    {
      file: 'core/state/orders.ts',
      from: 'entry.inherited = original.order.cumulative;\n    if (!',
      to: 'if (!',
    },
    {
      file: 'core/state/orders.ts',
      from: 'entry.inherited = original.order.cumulative;\n    this',
      to: 'this',
    },
    {
      file: 'core/state/kept-orders.ts',
      from: 'if (replacement.inherited < entry.order.cumulative) {',
      to: 'if (entry.order.cumulative < 0) {',
    },
  ],
  'what an original executes later is not inherited': [
    {
      file: 'core/state/kept-orders.ts',
      from: 'if (replacement.inherited < entry.order.cumulative) {',
      to: 'if (entry.order.cumulative < 0) {',
    },
  ],
  'a refused cancel is told as done': [
    {
      file: 'venues/hitbtc/client/account/private-stream.ts',
      from: "    if (verdict.outcome === 'refused' || verdict.outcome === 'limited') {\n",
      to: "    if (command.kind === 'cancelOrder' && verdict.outcome === 'refused') {\n      this.#settleCommand(command, 'acknowledged');\n      return;\n    }\n    if (verdict.outcome === 'refused' || verdict.outcome === 'limited') {\n",
    },
  ],
};

/** Defects of the gate, of the state, of connections and of the disk. */
const otherBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'commits of the journal do not wait for the disk': [
    {
      file: 'core/journal/segments/file.ts',
      from: 'WAL; PRAGMA synchronous = FULL',
      to: 'WAL; PRAGMA synchronous = NORMAL',
    },
  ],
  'stale inputs pass the gate': [
    {
      file: 'core/gate/gate.ts',
      from: 'if (found !== undefined) {',
      to: 'if (false) {',
    },
  ],
  'a crossed book is trusted': [
    {
      file: 'core/book/book.ts',
      from: "return this.#crossedSince < 0 ? undefined : 'crossed';",
      to: 'return undefined;',
    },
  ],
  'a refused unsubscribe ends nothing': [
    {
      file: 'venues/hitbtc/client/market/subscriber.ts',
      from: "if (answer.kind === 'silence' || isLimited(answer)) {",
      to: "if (answer.kind !== 'result') {",
    },
    {
      file: 'venues/hitbtc/client/market/book-watch.ts',
      from: 'if (book.askedSince === never) book.askedSince = now;',
      to: '',
    },
  ],
  'trading goes on although a message was unreadable': [
    {
      file: 'core/state/mode.ts',
      from: "return this.#evidence.size === 0 ? this.#mode : 'halted';",
      to: 'return this.#mode;',
    },
  ],
  'what orders are priced from is not asked for': [
    {
      file: 'core/trader/strategy-entries.ts',
      from: 'needs: needsOf(feeds, instruments),',
      to: 'needs: undefined,',
    },
  ],
  'fills are known without their side': [
    {
      file: 'core/state/booked-fills.ts',
      from: '{ slot: slotOf(fill.instrument, fill.side)',
      to: "{ slot: slotOf(fill.instrument, 'buy')",
    },
    {
      file: 'core/state/booked-fills.ts',
      from: 'this.#known[slotOf(fill.instrument, fill.side)]',
      to: "this.#known[slotOf(fill.instrument, 'buy')]",
    },
  ],
  'silence of a socket is noticed after 80 s': [
    { file: 'venues/options.ts', from: 'silenceMs: ms(8_000,', to: 'silenceMs: ms(80_000,' },
  ],
  'a latched halt is cleared by a plain stop': [
    {
      file: 'core/state/mode.ts',
      from: "if (this.#latched && event.mode === 'halted' && !event.latched) return;",
      to: '',
    },
  ],
};

/** Changes of a word or a line each: what is not done, or done too early. */
const smallBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'cancels wait for the journal': one(
    'core/gate/gate.ts',
    "lane === 'new' || lane === 'replace';",
    "lane !== 'read';",
  ),
  'replacements do not wait for the journal': one(
    'core/gate/gate.ts',
    "lane === 'new' || lane === 'replace';",
    "lane === 'new';",
  ),
  'what an earlier run left without an answer is not taken up': one(
    'core/orders/manager.ts',
    '    this.#tracker.takeUp();\n',
  ),
  'an order that lists show is cancelled no more': one(
    'core/orders/base/cancels.ts',
    '    effort.count = 0;\n',
  ),
  'a halt cancels nothing': one(
    'core/orders/manager.ts',
    "if (event.mode === 'halted') this.#clearing.halted(event);\n    else if",
    'if',
  ),
  'the replacement of a cancelled order stays': one(
    'core/orders/base/cancels.ts',
    'if (replacement !== undefined) this.request(replacement);',
  ),
  'trades are read from the last look on, not from before it': one(
    'core/orders/reconcile.ts',
    ' - millis(marginMs)',
  ),
  'an older read undoes a report of balances': one(
    'core/state/balances.ts',
    'if (known !== undefined && known.since > since) continue;',
  ),
  'unknown orders rest nowhere': one(
    'core/state/order-index.ts',
    "order.price === undefined || order.state === 'suspended'",
    "order.price === undefined || order.state === 'suspended' || order.state === 'unknown'",
  ),
  'any error on the trading socket is a refusal': one(
    'venues/hitbtc/client/calls/outcome.ts',
    '    !uncertainCodes.has(code) && refusalFamilies.some(([low, high]) => code >= low && code <= high);',
    '    true;',
  ),
  'an order leaves although its cancel was asked for': one(
    'core/gate/gate.ts',
    'const waiting = fresh.takeOut(command.clientOrderId) ?? replace.takeOut(command.clientOrderId);',
    'const waiting = undefined as Waiting | undefined;',
  ),
  'an exit is held for ever': one(
    'core/orders/held-exits.ts',
    'if (isNews || isFree || this.#hasPlace(exit) || this.#isStopped(exit)) this.#judgeExit(exit);',
    'if (isNews) this.#judgeExit(exit);',
  ),
  'own orders may meet': one(
    'core/orders/controls/price.ts',
    'if (ownTrades.of(memory.options).selfTrades || waitsForPrice(candidate, view)) return undefined;',
    'if (candidate !== undefined) return undefined;',
  ),
  'prices may stand anywhere': one(
    'core/orders/controls/price.ts',
    "if (request.type === 'market' ||",
    "if (request.type !== 'market' ||",
  ),
  'funds are not looked at': one(
    'core/orders/controls/funds.ts',
    'if (request.margin !== undefined) return marginFunds(candidate, view, memory);',
    'if (request.margin !== undefined || lots > 0) return undefined;',
  ),
  // One alone is covered by the other: a book of a symbol that is suspended is not fit to trade on.
  'suspended symbols are traded': [
    {
      file: 'core/orders/controls/trading-status.ts',
      from: "return status === 'working'",
      to: 'return status !== undefined',
    },
    {
      file: 'core/state/safe-states.ts',
      from: "  if (status !== 'working') return status;\n  const { unfit }",
      to: '  const { unfit }',
    },
  ],
  'executed sums fall with an older report': one(
    'core/state/orders.ts',
    'Math.max(order.cumulative, reported.cumulative, entry.booked)',
    'reported.cumulative',
  ),
  'a carried state has no fills': one(
    'core/state/booked-fills.ts',
    'keys: kept.map(({ slot, tradeId }) => `${slot}:${tradeId}`),',
    'keys: [],',
  ),
  'an original lives on beside its replacement': one(
    'core/state/orders.ts',
    "    this.#kept.moveOrder(original, 'canceled', time);\n",
  ),
  'a new run forgets a latched halt': one('core/state/mode.ts', '    if (this.#latched) return;\n'),
  'market data that come too late are traded on': one(
    'core/state/market-lag.ts',
    'if (lag === undefined || lag <= limit) return undefined;',
    'if (limit > 0) return undefined;',
  ),
  'an order that was told ended is not found alive': one(
    'core/orders/found.ts',
    'for (const order of yield* this.stillListed.settle(findings)) this.#alive(order);',
  ),
  'orders without an answer hold none back': one(
    'core/orders/controls/trading-status.ts',
    'if (found < most) return undefined;',
    'return undefined;',
  ),
  'unknown orders do not count for the halt': one(
    'core/orders/watches.ts',
    'const count = this.#view.unknownCount();',
    'const count = 0;',
  ),
  'ages are judged by the own clock': one(
    'core/orders/base/candidate.ts',
    'return later(memory.now, view.clockOffset ?? micros(0));',
    'return memory.now;',
  ),
};

/** Every defect planted in the source, by name: what would be changed by hand, and where. */
export const sourceBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  ...orderBugs,
  ...otherBugs,
  ...smallBugs,
  ...marginBugs,
  ...lossBugs,
  ...actBugs,
  ...ledgerBugs,
  ...lifeBugs,
  ...controlBugs,
  ...venueBugs,
  ...gatewayBugs,
};
