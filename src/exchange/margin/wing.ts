import type { AccountId } from '../matching/command.ts';
import { futuresWing, marginWing } from '../matching/wings.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { ModeSpelling } from '../../venues/hitbtc/wire/v3/margin-rows.ts';

/** Margin trading of symbols, or trading of contracts: one engine, two wings of each account. */
export interface Wing {
  readonly name: 'margin' | 'futures';
  readonly spelling: ModeSpelling;
  of(account: AccountId): AccountId;
  trades(instrument: Instrument): boolean;
}

export const margin: Wing = {
  name: 'margin',
  spelling: 'lower',
  of: marginWing,
  trades: ({ spec }) => spec.type === 'spot',
};

export const futures: Wing = {
  name: 'futures',
  spelling: 'capital',
  of: futuresWing,
  trades: ({ spec }) => spec.type === 'futures',
};
