import { z } from 'zod';

/** Parameters of every strategy of the simulation. */
export const workloadParams = z.strictObject({
  /** A part of the turns in which it would wish for something. */
  pace: z.number().min(0).max(1).default(1),
});
