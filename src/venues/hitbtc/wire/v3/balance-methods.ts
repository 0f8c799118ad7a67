import { z } from 'zod';
import { codeParam } from '../param-fields.ts';

const none = z.object({});
const mode = z.object({ mode: z.enum(['updates', 'batches']).default('updates') });

/**
 * Balances and fees on the v3 trading socket, under the prefix of a product (`spot_`, `futures_`): the right a method
 * needs and its parameters as a server reads them. Source: v3-gaps, sections 2.3 and 2.5.
 */
export const balanceMethods = {
  balances: { right: 'R1', params: none },
  balance: { right: 'R1', params: z.object({ currency: codeParam }) },
  fees: { right: 'R1', params: none },
  fee: { right: 'R1', params: z.object({ symbol: codeParam }) },
  balance_subscribe: { right: 'R1', params: mode },
  balance_unsubscribe: { right: 'R1', params: mode },
} as const;
