import { z } from 'zod';

/** Where the operator's interface of a daemon listens. Tokens are of `app/config`, where secrets are read. */
export const operateOptions = z.strictObject({
  enabled: z.boolean().default(true).describe('whether the daemon can be seen and steered from outside'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('address to listen on; one that others can reach needs tls'),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe('0 takes a free one; commands find it by the run directory'),
  names: z
    .array(z.string().min(1).max(253))
    .max(20)
    .default([])
    .describe('host names under which it is asked besides its address, such as that of a reverse proxy'),
  tls: z
    .strictObject({
      cert: z.string().min(1).describe('PEM file of the certificate'),
      key: z.string().min(1).describe('PEM file of its key, readable by the owner alone'),
    })
    .optional()
    .describe('serves HTTPS'),
});

export type OperateOptions = z.output<typeof operateOptions>;
