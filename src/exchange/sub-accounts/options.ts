import { z } from 'zod';

/** What makes an account a sub-account, and how it begins. Source: API v3, "Sub-account and ACL". */
export const subAccountOptions = z.strictObject({
  parent: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .describe('the super account, by name'),
  status: z.enum(['new', 'active', 'disable', 'frozen']).default('active'),
  depositAddressGenerationEnabled: z.boolean().default(true),
  withdrawEnabled: z.boolean().default(false),
  description: z.string().max(200).default(''),
});

export type SubAccountOptions = z.infer<typeof subAccountOptions>;
