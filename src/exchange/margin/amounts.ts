import type { Amount } from '../../core/base/amount.ts';
import { parseAmount, zero } from '../../core/base/amount.ts';
import { Decimal } from '../../core/base/decimal.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { Refusal } from '../refusal.ts';
import { badParameter } from '../refusal.ts';

const exponential = /^\d{1,30}(\.\d{1,40})?[eE][+-]?\d{1,2}$/;

/** A margin balance; strictly, neither in exponential form nor finer than it is kept. Source: v2-gaps, section 2. */
export function readAmount(name: string, given: string, strict: boolean): Amount | Refusal {
  const text = strict || !exponential.test(given) ? given : new Decimal(given).toFixed();
  const match = /^(\d{1,30})(?:\.(\d{1,40}))?$/.exec(text);
  if (match === null) return badParameter(name, 'Expected a plain decimal');
  const [, whole = '0', fraction = ''] = match;
  if (strict && fraction.length > 12) return badParameter(name, 'Expected at most 12 decimals');
  return parseAmount(`${whole}.${fraction.slice(0, 12).padEnd(1, '0')}`);
}

/** A leverage of at most two decimals, from 1 to what the contract allows. */
export function leverageOf(instrument: Instrument | undefined, text: string | undefined): Amount | Refusal {
  if (text === undefined) return badParameter('leverage', 'Parameter is required');
  const most = parseAmount(instrument?.spec.maxInitialLeverage ?? '10');
  const leverage = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? parseAmount(text) : zero;
  if (leverage >= parseAmount('1') && leverage <= most) return leverage;
  const range = `[1, ${instrument?.spec.maxInitialLeverage ?? '10'}]`;
  return badParameter('leverage', `Parameter must be in ${range}`);
}
