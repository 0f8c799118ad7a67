import type { Refusal } from '../refusal.ts';
import { badParameter } from '../refusal.ts';

/** The currency has no network of that code. */
export function networkNotFound(code: string): Refusal {
  return badParameter('network_code', `No such network: ${code.slice(0, 40)}`);
}

/** What is wrong with an amount, by the name of the parameter. */
export function badAmount(why: string): Refusal {
  return badParameter('amount', why);
}
