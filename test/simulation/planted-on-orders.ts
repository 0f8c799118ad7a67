import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

const tracker = 'core/orders/in-flight-tracker.ts';
const missing = 'core/orders/missing.ts';
const cancels = 'core/orders/base/cancels.ts';
const reconcile = 'core/orders/reconcile.ts';
const found = 'core/orders/found.ts';
const gate = 'core/gate/gate.ts';
const orders = 'core/state/orders.ts';
const kept = 'core/state/kept-orders.ts';
const index = 'core/state/order-index.ts';
const mode = 'core/state/mode.ts';

/** Defects of what becomes of orders: at the gate, in doubt, cancelled, in the state, carried over a restart. */
export const lifeBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'the lag of the market is judged without the distance of the clocks': one(
    'core/state/reader.ts',
    'return micros(Math.max(0, delay + sessions.clockOffset));',
    'return micros(Math.max(0, delay));',
  ),
  'the distance of the clocks has the wrong sign': one(
    'core/state/reader.ts',
    'Math.max(0, delay + sessions.clockOffset)',
    'Math.max(0, delay - sessions.clockOffset)',
  ),
  'an unknown replacement leaves no doubt about its original': [
    { file: tracker, from: '    if (sent.original !== undefined) missing.doubt(sent.original);\n', to: '' },
    {
      file: tracker,
      from: '        if (order.originalClientOrderId !== undefined) missing.doubt(order.originalClientOrderId);\n',
      to: '',
    },
  ],
  'a replacement that is taken up leaves no doubt about its original': one(
    tracker,
    '        if (order.originalClientOrderId !== undefined) missing.doubt(order.originalClientOrderId);\n',
  ),
  'a replacement without an answer leaves no doubt about its original': one(
    tracker,
    '    if (sent.original !== undefined) missing.doubt(sent.original);\n',
  ),
  'an order of an earlier run counts its age by the wall clock': one(
    tracker,
    'if (!order.clientOrderId.startsWith(memory.runHead)) return clock.uptime();',
    'if (order.clientOrderId === memory.runHead) return clock.uptime();',
  ),
  'a timer of silence is not set again': one(
    tracker,
    "        this.#becomeUnknown(sent, 'no answer came');\n      }\n      this.#watch();",
    "        this.#becomeUnknown(sent, 'no answer came');\n      }",
  ),
  'an order is unknown before the gate can have let it go': one(
    tracker,
    'for (const sent of view.inFlight.until(now - held)) this.#becomeUnknown(sent, why);',
    'for (const sent of view.inFlight.until(now)) this.#becomeUnknown(sent, why);',
  ),
  // One alone is covered by the other, as in 'a lost session makes nothing unknown'.
  'a lost session leaves what the gate may hold': [
    {
      file: tracker,
      from: 'if (view.inFlight.sentOrder(sent.clientOrderId) === sent) this.#becomeUnknown(sent, why);',
      to: 'void sent;',
    },
    {
      file: 'venues/hitbtc/client/account/private-stream.ts',
      from: "if (leavesBySocket(command)) this.#settleCommand(command, 'unanswered');",
      to: 'void command;',
    },
  ],
  'a denied replacement goes on reserving': one(tracker, '    orderReservations.gone(id);\n'),
  'one look proves absence': one(
    missing,
    'if (missing.firstAbsence === undefined) {',
    'if (missing.firstAbsence === undefined && findings.begunAt < 0) {',
  ),
  'an order that was found is proved absent later': one(
    missing,
    "    missing.firstAbsence = undefined;\n    return 'found';",
    "    return findings.begunAt > 0 && findings.active.size > 0 ? 'open' : 'found';",
  ),
  // A look reads the histories of up to fifty orders, and the limits of open orders leave fewer in doubt: here none is read.
  'absence is proved by lists without the history': [
    { file: missing, from: "if (!findings.histories.has(clientOrderId)) return 'open';\n", to: '' },
    {
      file: missing,
      from: 'return ids.slice(0, this.#parts.options.idsMax);',
      to: 'return ids.slice(0, 0);',
    },
  ],
  'a live order that lists lack is left': one(missing, '    yield* this.#findUnseen(findings);\n'),
  'a report during a look is not remembered': one(
    missing,
    'if (this.#looking) this.#heard.add(clientOrderId);',
    '',
  ),
  'an order proved absent goes on living': one(missing, '        outbox.provenAbsent(clientOrderId);\n'),
  'one cancel is all there is': one(
    cancels,
    'this.underWay(id) || effort.endedAt > begunAt) return;',
    'this.underWay(id) || effort.count > 0) return;',
  ),
  'a cancel under way is sent again': one(
    cancels,
    'if (effort === undefined || order === undefined || this.underWay(id)) return;',
    'if (effort === undefined || order === undefined) return;',
  ),
  'a failed cancel brings no read': one(
    cancels,
    '    this.#parts.doubt(id, isUrgent);\n',
    '    void isUrgent;\n',
  ),
  'cancels of a symbol leave one out': one(
    cancels,
    '      if (due.length < 2) continue;\n',
    '      if (due.length < 2) continue;\n      if (due.length > 2) due.pop();\n',
  ),
  'an order on its way is cancelled by all of its symbol': one(
    cancels,
    "state !== 'pending' && state !== 'unknown' && !this.underWay",
    "state !== 'pending' && !this.underWay",
  ),
  'orders of earlier runs stay': one(
    found,
    '      this.#clearEarlier(id);\n      // Those',
    '      // Those',
  ),
  'one list proves that an ended order lives': one(
    'core/orders/still-listed.ts',
    'return later(since, millis(',
    'return later(0 as Micros, millis(0 * ',
  ),
  'trading goes on before the look is complete': one(
    reconcile,
    '    this.#parts.memory.reconciled = false;\n',
  ),
  'a halt is over by a look that began before it': one(
    reconcile,
    'if (findings.begunAt >= this.#haltedAt) this.#endHalts();',
    'this.#endHalts();',
  ),
  'a halt is over while orders are unknown': one(
    reconcile,
    "view.awaits('manyUnknown') !== undefined && view.unknownCount() === 0",
    "view.awaits('manyUnknown') !== undefined",
  ),
  'a look is not repeated while an order is in doubt': one(
    reconcile,
    'missing.unsettled + missing.doubted +',
    '0 * missing.unsettled +',
  ),
  'trades are looked for from the wrong end': one(
    reconcile,
    'since = Math.min(since, open ? order.createdAt : order.updatedAt);',
    'since = Math.max(since, open ? order.createdAt : order.updatedAt);',
  ),
  'lists are read of declared products alone': one(
    reconcile,
    '      read.add(productOf(view.instruments.at(instrument), margin));\n',
    '',
  ),
  'a deadline of the gate is never over': one(
    gate,
    'const deadline = (now + this.#deadlines[lane]) as Micros;',
    'const deadline = (now + this.#deadlines[lane] + 60_000_000) as Micros;',
  ),
  'a failure of the journal stops new orders alone': one(
    gate,
    'if (this.#journalFailed) {\n',
    "if (this.#journalFailed && lane === 'new') {\n",
  ),
  'a session that is down lets orders out': one(
    gate,
    "if (!view.sessionUp('trading')) {",
    'if (view.status === undefined) {',
  ),
  'the gate forgets the lag of the market': one(
    gate,
    "if (late !== undefined) return { code: 'INPUT_STALE', why: late };",
    '',
  ),
  // One alone is covered by the other: the comparator finds that the list is not the one that was asked for.
  'a list leaves before its last order': [
    {
      file: gate,
      from: 'if (this.#requests.length < list.orders.length) return undefined;',
      to: 'if (this.#requests.length < list.orders.length - 1) return undefined;',
    },
    { file: gate, from: 'if (difference !== undefined) {', to: "if (difference === '') {" },
  ],
  'the comparator looks at nothing': one(gate, 'if (difference !== undefined) {', "if (difference === '') {"),
  'a report takes its sum for the quantity': one(
    orders,
    'quantity: newer ? reported.quantity : order.quantity,',
    'quantity: newer ? reported.cumulative : order.quantity,',
  ),
  'an older report changes the price': one(
    orders,
    'price: newer && needsPrice(order.type) ?',
    'price: needsPrice(order.type) ?',
  ),
  'a report without a stop price takes it away': one(
    orders,
    'stopPrice: newer ? (reported.stopPrice ?? order.stopPrice) : order.stopPrice,',
    'stopPrice: order.originalClientOrderId === undefined ? order.stopPrice : undefined,',
  ),
  'the price of a replacement is that of its original': one(
    'core/state/order-entry.ts',
    '    price: command.price,\n    stopPrice: command.stopPrice,',
    '    price: original.price,\n    stopPrice: command.stopPrice,',
  ),
  'a replacement belongs to nobody': one(
    'core/state/order-entry.ts',
    'const order = placedOrder(request, original.strategy, time);',
    "const order = placedOrder(request, 'external', time);",
  ),
  'a fill of a replacement is inherited twice': one(
    orders,
    '      const booked = this.#book(trade, entry, event.receiveTime);\n',
    '      const booked = this.#book(trade, entry, event.receiveTime);\n      if (booked && order.originalClientOrderId !== undefined) entry.booked += fill.quantity;\n',
  ),
  'a rejected order goes on living': one(
    orders,
    "    this.#kept.endUnrested(entry, 'rejected', event.receiveTime, {",
    "    if (event.code !== 20_001) this.#kept.endUnrested(entry, 'rejected', event.receiveTime, {",
  ),
  'a rejected replacement takes its original along': one(
    orders,
    "    const entry = this.#kept.find(event.clientOrderId);\n    if (entry === undefined) return;\n    this.#kept.endUnrested(entry, 'rejected'",
    "    const entry = this.#kept.find(event.clientOrderId);\n    if (entry === undefined) return;\n    const replaced = this.#kept.find(entry.order.originalClientOrderId);\n    if (replaced?.ended === false) this.#kept.become(replaced, 'canceled', event.receiveTime);\n    this.#kept.endUnrested(entry, 'rejected'",
  ),
  'a cancel that was refused is pending for ever': one(
    orders,
    'if (entry !== undefined) this.#kept.changeOrder(entry, { cancelPending: false });\n  }\n\n  /** An order of no',
    'void entry;\n  }\n\n  /** An order of no',
  ),
  'an order that is replaced cannot be replaced again': one(
    kept,
    '    original.replacement = undefined;\n    this.changeOrder(original, { replacePending: undefined });',
    '    original.replacement = undefined;',
  ),
  'a correction takes the lots twice': one(orders, 'entry.booked -= less;', 'entry.booked -= 2 * less;'),
  'unknown orders count less than pending ones': one(
    index,
    "if (order.state === 'pending' && replaces?.live === true) {",
    "if ((order.state === 'pending' || order.state === 'unknown') && replaces?.live === true) {",
  ),
  'what an order executed counts as working': one(
    index,
    '(entry.reported ? order.cumulative : entry.inherited + entry.booked)',
    '(entry.reported ? 0 : entry.inherited + entry.booked)',
  ),
  'stops count as resting': one(
    index,
    'return waits && order.stopPrice !== undefined ? undefined : order.price;',
    'return order.price;',
  ),
  'the best own price is the worst': one(
    index,
    "return side === 'buy' ? price > than : price < than;",
    "return side === 'buy' ? price < than : price > than;",
  ),
  'the count of unknown orders never falls': one(
    index,
    'this.#unknown += unknown ? 1 : -1;',
    'this.#unknown += unknown ? 1 : 0;',
  ),
  'the best own price is kept too long': one(
    index,
    'if (before !== undefined && before === best) this.#best.delete(slot);\n    else if',
    'if',
  ),
  'a carried order forgets that it was reported': one(
    'core/state/carry-orders.ts',
    '  entry.reported = told;\n',
  ),
  'a carried order forgets its replacement': one(
    'core/state/carry-orders.ts',
    '  entry.replacement = find(carried.replacement);\n',
  ),
  'a carried order forgets what it inherited': one(
    'core/state/carry-orders.ts',
    '  entry.inherited = inherited;\n',
  ),
  'carried intents are lost': one(
    'core/state/orders.ts',
    '    for (const intent of orders.unjudged) this.inFlight.declare(intent);\n',
  ),
  'carried balances are lost': one(
    'core/state/balances.ts',
    'for (const known of carried) this.#known.set(known.balance.currency, known);',
    'void carried;',
  ),
  'a halted product is lost with the carried state': one(
    mode,
    '      ...(halted.length > 0 && { halted }),\n',
  ),
  'a carried latch is forgotten': one(
    mode,
    '    this.#latched = latched;\n    this.#since = since ??',
    '    this.#since = since ??',
  ),
  'executions that are open are not carried': one(
    'core/state/stores.ts',
    '      ...(executions !== undefined && { executions }),\n',
  ),
  'the wallets of looks are not carried': one('core/state/stores.ts', '      ...this.#carriedWallets(),\n'),
  'a list of balances leaves the others as they were': one(
    'core/state/balances.ts',
    'if (complete) {',
    'if (complete && balances.length === 0) {',
  ),
  'resume ends the pause of one strategy alone': one(
    mode,
    'if (act.strategy === undefined) this.#paused.clear();\n        else this.#paused.delete(act.strategy);',
    'this.#paused.delete(act.strategy);',
  ),
  'a plain stop lifts reducing': one(
    mode,
    'if (this.#latched) return;\n',
    "if (this.#latched && this.#mode === 'halted') return;\n",
  ),
  'a suspended symbol is taken for a working one': one(
    'core/state/sessions.ts',
    'this.#status[event.instrument] = event.status;',
    "this.#status[event.instrument] = 'working';",
  ),
  'the clock is measured once': one(
    'core/state/sessions.ts',
    'this.#clockOffset = offset;',
    'this.#clockOffset ??= offset;',
  ),
  'an expired order frees nothing': one(
    'core/orders/reservation-keeper.ts',
    'if (!mayBeLive(order.state) ||',
    "if ((!mayBeLive(order.state) && order.state !== 'expired') ||",
  ),
  'a spent fill frees its funds at once': one(
    'core/orders/reservation-keeper.ts',
    '    reservations.spot.takeSpent(currency, amount, time, uptime);\n',
  ),
  'a replacement that waits reserves in full': one(
    'core/orders/reservation-keeper.ts',
    'reservations.set(id, isReplacing ? beyond(need, reservations.of(original)) : need);',
    'reservations.set(id, isReplacing ? undefined : need);',
  ),
};
