import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

/** Defects of the ledger, and of wallets and margin accounts. */
export const ledgerBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'a fee is not taken': one('core/ledger/holding.ts', 'this.#fees = add(this.#fees, fee);'),
  'a fee is taken twice': one(
    'core/ledger/holding.ts',
    'this.#fees = add(this.#fees, fee);',
    'this.#fees = add(add(this.#fees, fee), fee);',
  ),
  'a fee in base currency stays in the position': one(
    'core/ledger/holding.ts',
    'this.#inBase = takesFeesInBase(instrument, account);',
    'this.#inBase = false;',
  ),
  'a liquidation is counted by its fills': one(
    'core/ledger/ledger.ts',
    'of this.rests.takeLiquidations())',
    'of this.rests.takeLiquidations().slice(0, 0))',
  ),
  'a loss that the exchange bore is given back each time': one(
    'core/ledger/margin-rests.ts',
    '        rests.delete(name);\n        this.#liquidated',
    '        this.#liquidated',
  ),
  'a charge that was taken in an outage is lost': one(
    'core/orders/wallets.ts',
    'for (const one of confirmed) this.#charges.settle(one, reads);',
  ),
  'an execution that never was is believed': one(
    'core/orders/executions.ts',
    'else if (later(since, usualLag) < findings.tradesAskedAt) this.#absent(open, instrument, findings);',
  ),
  'a correction is booked twice': one(
    'core/ledger/ledger.ts',
    "this.#enter({ kind: 'correction', cause, strategy, account, trade, holds, realized, time });",
    "for (let i = 0; i < 2; i++) this.#enter({ kind: 'correction', cause, strategy, account, trade, holds, realized, time });",
  ),
  'a transfer is taken for profit': one(
    'core/ledger/ledger.ts',
    'this.moved.book(event.moved);',
    'this.moved.book(event.moved); this.#accounts.spot.forgive(0 as never, externalStrategy, event.moved.amount);',
  ),
  'a row of the history is booked again': [
    {
      file: 'core/state/orders.ts',
      from: '    if (this.#bookedFills.knows(fill)) return;\n',
      to: '',
    },
    {
      file: 'core/state/orders.ts',
      from: 'if (!this.#bookedFills.add(fill)) return false;',
      to: 'this.#bookedFills.add(fill);',
    },
  ],
  'trades on cross margin are booked on isolated': one(
    'core/ledger/ledger.ts',
    'this.#accounts[account].book(trade, {',
    "this.#accounts[account === 'cross' ? 'isolated' : account].book(trade, {",
  ),
  'what is added does not move the average price': one(
    'core/ledger/holding.ts',
    'if (size > closing) this.#openCost =',
    'if (size > closing && (this.#openCost === zero || closing > 0n)) this.#openCost =',
  ),
  'what closes takes the whole cost': one(
    'core/ledger/holding.ts',
    'this.#openCost = subtract(this.#openCost, cost);',
    'this.#openCost = zero;',
  ),
  'a carried position forgets what it cost': one(
    'core/ledger/holding.ts',
    'this.#openCost = carried.openCost;',
  ),
  'a carried position forgets what it realised': one(
    'core/ledger/holding.ts',
    'this.#realized = carried.realized;',
  ),
  'a profit leaves fees out': one(
    'core/ledger/valuation.ts',
    'subtract(realized, add(feesInQuote, charges))',
    'subtract(realized, charges)',
  ),
  'a peak is reset by a restart': one(
    'core/state/losses.ts',
    '      marks: [...this.#marks.values()],',
    '      marks: [...this.#marks.values()].map((mark) => ({ ...mark, peak: undefined })),',
  ),
  'the peak of the run is reset by a restart': one(
    'core/state/stores.ts',
    '      ...this.#carriedCourses(),\n',
  ),
  'the largest fall of the run is that of now': one(
    'core/ledger/profit-peak.ts',
    'if (fall > this.#drawdownMax) this.#drawdownMax = fall;',
    'this.#drawdownMax = fall;',
  ),
  'a charge belongs to nobody': one(
    'core/ledger/account-positions.ts',
    'if (net === 0n || holders.length === 0)',
    'if (net === 0n || holders.length > 0)',
  ),
  'a charge of a shared account goes to its first position': one(
    'core/state/margin.ts',
    'const only = charged ?? account.instrument;',
    'const only = account.instrument ?? account.positions[0]?.instrument ?? charged;',
  ),
  'the wallet of contracts is taken for that of spot': one(
    'core/state/state.ts',
    "return wallet === 'futures' ? this.#stores.futuresBalances",
    "return wallet === ('' as string) ? this.#stores.futuresBalances",
  ),
  'a margin call is ignored': one(
    'core/orders/margin/reducing.ts',
    'if (account?.called !== true) return undefined;',
    'if (request.margin.mode !== undefined) return undefined;',
  ),
  'an older read undoes a report of a margin account': one(
    'core/state/margin.ts',
    '      if ((known?.since ?? before) > askedAt) continue;\n',
  ),
  'a margin account that is listed no more stays open': one(
    'core/state/margin.ts',
    '      this.#known.set(key, { ...known, open: false, since: askedAt });\n',
  ),
  'a position that differs halts nothing': one(
    'core/orders/margin/comparison.ts',
    'this.#findPosition(instrument, mode, true);',
    'this.#findPosition(instrument, mode, false);',
  ),
  'positions are not compared': one(
    'core/orders/margin/comparison.ts',
    '      this.#settlePositions(product, findings.begunAt);\n',
  ),
  'a reduce-only order looks at own trades alone': one(
    'core/orders/margin/reducing.ts',
    '  const booked = view.netPosition(instrument.id, mode);\n',
    '  const booked = view.netPosition(instrument.id, mode);\n  if (booked !== undefined) return booked;\n',
  ),
  'a change of margin without an answer is forgotten': one(
    'core/state/margin.ts',
    "outcome === 'unanswered'\n",
    "outcome === ('' as string)\n",
  ),
};
