import type { Amount } from '../base/amount.ts';
import { formatAmount, parseAmount } from '../base/amount.ts';
import type { InstrumentSpec } from './instrument.ts';

/** A spec of the venue on steps that its grid and a kept one are multiples of: orders are multiples of what the venue takes. */
export function onCommonGrid(
  found: InstrumentSpec,
  kept: Pick<InstrumentSpec, 'tickSize' | 'quantityIncrement'>,
): InstrumentSpec {
  const tickSize = commonStep(found.tickSize, kept.tickSize);
  const quantityIncrement = commonStep(found.quantityIncrement, kept.quantityIncrement);
  return {
    ...found,
    tickSize,
    quantityIncrement,
    ...(!isSameStep(tickSize, found.tickSize) && { orderTick: found.orderTick ?? found.tickSize }),
    ...(!isSameStep(quantityIncrement, found.quantityIncrement) && {
      orderIncrement: found.orderIncrement ?? found.quantityIncrement,
    }),
  };
}

/** The largest step that both are multiples of; the venue's text where that is its own. */
function commonStep(listed: string, kept: string): string {
  let [step, rest]: [bigint, bigint] = [parseAmount(listed), parseAmount(kept)];
  while (rest !== 0n) [step, rest] = [rest, step % rest];
  if (step === parseAmount(listed)) return listed;
  return step === parseAmount(kept) ? kept : formatAmount(step as Amount);
}

/** Compared as numbers: decimals that are only printed are no other grid. */
export function isSameStep(one: string, other: string): boolean {
  return parseAmount(one) === parseAmount(other);
}
