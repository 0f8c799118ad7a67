import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

const stream = 'venues/hitbtc/client/account/private-stream.ts';
const model = 'venues/hitbtc/wire/resources/order-model.ts';
const watch = 'venues/hitbtc/client/market/book-watch.ts';
const outcome = 'venues/hitbtc/client/calls/outcome.ts';
const session = 'venues/hitbtc/client/trading-session.ts';
const sequencer = 'core/book/sequencer.ts';

/** Defects of the client: what it reads, how requests end, how connections come back; and of the journal. */
export const venueBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'an executed sum is read as the quantity': one(
    model,
    "const quantity = lotsOf(instrument, row.quantity, 'quantity');",
    "const quantity = cumulative > 0 ? cumulative : lotsOf(instrument, row.quantity, 'quantity');",
  ),
  'the price of a trade is that of its order': one(
    model,
    'price: ticksOf(instrument, trade.tradePrice, names.tradePrice[version]),',
    'price: order.price ?? ticksOf(instrument, trade.tradePrice, names.tradePrice[version]),',
  ),
  'the lots of a trade are the executed sum': one(
    model,
    'quantity: lotsOf(instrument, trade.tradeQuantity, names.tradeQuantity[version]),',
    'quantity: order.cumulative,',
  ),
  'a rebate is read as a fee': one(
    model,
    'fee: trade.tradeFee,',
    'fee: (trade.tradeFee < 0n ? -trade.tradeFee : trade.tradeFee) as never,',
  ),
  'everybody takes': one(
    model,
    'taker: trade.tradeTaker ?? (version',
    'taker: order.quantity > 0 || (version',
  ),
  'the sides of the trade history are mixed up': one(
    model,
    '    side: row.side,\n    // Of a spot',
    "    side: row.side === 'buy' ? 'sell' : 'buy',\n    // Of a spot",
  ),
  'a row of the trade history names no position': one(
    model,
    '    ...(Number(row.positionId ?? 0) > 0 && { positionId: Number(row.positionId) }),\n',
  ),
  'the original of a replacement is not read': one(
    model,
    'originalClientOrderId: row.originalClientOrderId as ClientOrderId | undefined,',
    'originalClientOrderId: undefined,',
  ),
  'orders are stamped by when they were made': one(
    model,
    '    updatedAt: row.updatedAt,\n',
    '    updatedAt: row.createdAt,\n',
  ),
  'post-only is not read': one(model, 'postOnly: row.postOnly,', 'postOnly: false,'),
  'margin marks are not read': one(
    model,
    'return margin === undefined ? order : { ...order, margin };',
    'return order;',
  ),
  'the expire time is not read': one(model, 'expireTime: row.expireTime,', 'expireTime: undefined,'),
  'a refused replacement leaves what the reply says': one(
    stream,
    "      this.#reject(command, 0, 'the replacement could not be placed; the original order is canceled');\n",
    '',
  ),
  'a reply of another order settles a command': one(
    stream,
    "if (meaning === 'part') return;",
    "if (meaning === 'part') return;\n    if (meaning !== 'whole') {\n      this.#settleCommand(command, 'acknowledged');\n      return;\n    }",
  ),
  'a balance that comes again is news after a read': one(stream, '    this.#balances.spot.forget();\n', ''),
  'balances that were repeated meanwhile are undone by a read': one(
    'venues/hitbtc/client/account/known.ts',
    'repeatedAt >= askedAt',
    'repeatedAt >= askedAt + 3_600_000_000',
  ),
  'a change of the reserved amount alone is no news': one(
    'venues/hitbtc/client/account/known.ts',
    'known?.balance.available === available && known.balance.reserved === reserved',
    'known?.balance.available === available',
  ),
  'an answer that is older than a report is news': one(
    'venues/hitbtc/client/account/known.ts',
    'return known === undefined || known.updatedAt < account.updatedAt;',
    'return known === undefined || known.updatedAt > 0;',
  ),
  'orders of a cancel of all that were not shown are done': one(
    stream,
    "        this.#reject(one, orderNotFound, 'the cancel of all orders did not find it');",
    '        void orderNotFound;',
  ),
  'a message that cannot be read is passed over': one(
    stream,
    '      this.#unread(error.message);\n',
    '      void error.message;\n',
  ),
  'the answer to a read is stamped as it comes': one(
    stream,
    '      askedAt: answer.askedAt,\n',
    '      askedAt: this.#now,\n',
  ),
  'a page of a proxy is a refusal': one(
    outcome,
    'status >= 400 && status < 500 && isReadable(body) && !uncertainCodes.has(code)',
    'status >= 400 && status < 500',
  ),
  'an answer of 504 is a refusal': one(
    outcome,
    'const refused = status >= 400 && status < 500',
    'const refused = status >= 400 && status < 505',
  ),
  'an error of an unknown kind is a refusal': one(
    outcome,
    '  [20_000, 22_999],',
    '  [20_000, 29_999],\n  [500, 599],',
  ),
  'no answer is a refusal': one(
    outcome,
    "if (status === 0) return unknownVerdict(0, 'no answer');",
    "if (status === 0) return { ...unknownVerdict(0, 'no answer'), outcome: 'refused' };",
  ),
  // One alone is covered by the other: a code of no family is no refusal.
  'code 504 of a socket is a refusal': [
    { file: outcome, from: 'new Set([500, 503, 504, 22008])', to: 'new Set([500, 503, 22008])' },
    { file: outcome, from: '  [20_000, 22_999],', to: '  [20_000, 22_999],\n  [504, 504],' },
  ],
  'reports of contracts are not subscribed': one(
    session,
    '      ...products.map(reports),\n',
    "      ...products.filter((product) => product !== 'futures').map(reports),\n",
  ),
  'balances are not subscribed': one(
    session,
    "...(products.some((product) => product !== 'futures') ? [balances('spot')] : []),",
    '',
  ),
  'the session is up before reports are subscribed': one(
    session,
    "      if (answer.kind === 'result') continue;\n",
    "      if (answer.kind === 'result' || step.scope !== 'login') continue;\n",
  ),
  'a login is signed by the own clock': one(
    session,
    'const now = later(clock.now(), clockOffset.offset);',
    'const now = later(clock.now(), 0 as never);',
  ),
  'a session that went is told as soon as it is back': one(
    session,
    '    if (!wasUp) return;\n',
    '    if (wasUp) return;\n',
  ),
  'what left on a lost connection is not settled': [
    {
      file: session,
      from: "    if (wasOpened) this.#setup.accept(makeFrame(this.#frames, 'close', why));\n",
      to: '    void wasOpened;\n',
    },
  ],
  'one missing update is no gap': one(
    sequencer,
    'sequence !== last + 1) return',
    'sequence > last + 2) return',
  ),
  'a repeated update is applied again': one(
    sequencer,
    'if (sequence <= last) return this.#old(instrument, sequence, last);',
    'if (sequence < last) return this.#old(instrument, sequence, last);',
  ),
  'after a gap the next update is the base': one(
    sequencer,
    "    this.#phase[instrument] = waiting;\n    return 'gap';",
    "    this.#phase[instrument] = joined;\n    this.#last[instrument] = expected;\n    return 'gap';",
  ),
  'a sequence that begins anew is old for ever': one(
    sequencer,
    'const isAnew = olds > (isJoined',
    'const isAnew = olds > 1_000_000 * (isJoined',
  ),
  'the books of a new connection are not asked for': one(
    watch,
    "      book.stage = 'due';\n      book.dueAt = 0;\n      book.subscribed = false;\n      Object.assign",
    '      Object.assign',
  ),
  'a snapshot that does not come is waited for': one(
    watch,
    '    book.dueAt = now + millis(this.#options.snapshotMs);',
    '    book.dueAt = now + millis(this.#options.snapshotMs) * 1_000;',
  ),
};
