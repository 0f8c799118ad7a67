import { symbols } from './traded.ts';

/** A program of others beside the strategies of a seed. */
export interface ProgramRole {
  readonly name: string;
  /** Third part of its order ids. */
  readonly tag: string;
  readonly symbols: readonly string[];
  /** Its share of the balance. */
  readonly funds: Readonly<Record<string, string>>;
}

/** Seeds from this one on have programs; no seed below has, so that what they show stays as it is. */
export const programSeeds = 1_000_001;

/** The programs of a seed: two that trade the same symbols, or none. */
export function programsOf(seed: number): readonly ProgramRole[] {
  if (seed < programSeeds) return [];
  return [
    { name: 'grid', tag: 'grid', symbols, funds: { USDT: '400' } },
    { name: 'sheet', tag: 'sheet', symbols, funds: { USDT: '900' } },
  ];
}
