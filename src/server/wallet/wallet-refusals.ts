import type { Refusal } from '../refusal.ts';
import { refuse } from '../refusal.ts';

/** The currency has no network of that code. */
export function networkNotFound(code: string): Refusal {
  return refuse(10_001, {
    message: `Bad request parameter [network_code]. No such network: ${code.slice(0, 40)}`,
  });
}

/** What is wrong with an amount, by the name of the parameter. */
export function badAmount(why: string): Refusal {
  return refuse(10_001, { message: `Bad request parameter [amount]. ${why}` });
}
