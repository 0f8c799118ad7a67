import type { Amount } from '../../core/base/amount.ts';
import { formatAmount, parseAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { ContractInfo } from '../../core/model/event.ts';

// What contracts show of themselves comes every few seconds, and stands in packs as JSON.

type ContractValues = Omit<ContractInfo, 'kind' | 'instrument' | 'exchangeTime' | 'receiveTime'>;
type ContractRow = readonly [mark: string, index: string, ...rest: readonly (string | number | null)[]];

export function contractText(info: ContractValues): string {
  const amount = (value: Amount | undefined): string | null =>
    value === undefined ? null : formatAmount(value);
  return JSON.stringify([
    amount(info.markPrice),
    amount(info.indexPrice),
    amount(info.fundingRate),
    info.nextFundingAt ?? null,
    amount(info.lastFundingRate),
    amount(info.openInterest),
  ]);
}

export function readContract(text: string): ContractValues {
  const [mark, index, rate, nextFundingAt, lastRate, interest] = JSON.parse(text) as ContractRow;
  const amount = (value: string | number | null | undefined): Amount | undefined =>
    typeof value === 'string' ? parseAmount(value) : undefined;
  return {
    markPrice: parseAmount(mark),
    indexPrice: parseAmount(index),
    fundingRate: amount(rate),
    nextFundingAt: typeof nextFundingAt === 'number' ? (nextFundingAt as Micros) : undefined,
    lastFundingRate: amount(lastRate),
    openInterest: amount(interest),
  };
}
