import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, zero } from '../../core/base/amount.ts';
import type { FillLedger } from '../../research/report/fill-ledger.ts';

/** What was paid as funding, less what was received, by currency; nothing where nobody did. */
export function fundingPaid(ledgers: readonly FillLedger[]): ReadonlyMap<string, Amount> {
  const paid = new Map<string, Amount>();
  for (const { instrument, funding } of ledgers) {
    const { quoteCurrency } = instrument.spec;
    if (funding !== zero) paid.set(quoteCurrency, add(paid.get(quoteCurrency) ?? zero, funding));
  }
  return paid;
}

/** The same in a sentence each. */
export function paidNotes(paid: ReadonlyMap<string, Amount>): readonly string[] {
  return [...paid].map(([currency, amount]) => {
    const text = formatAmount((amount < 0n ? -amount : amount) as Amount);
    return `funding ${amount < 0n ? 'received' : 'paid'}, part of the profit: ${text} ${currency}`;
  });
}
