import { z } from 'zod';

const share = z.string().regex(/^(0(\.\d{1,18})?|1(\.0+)?)$/, 'expected a decimal from "0" to "1" as text');

/** When positions are closed by the venue: once equity is at or below a share of the margin that they lock. */
export const liquidationTerms = z.strictObject({ rate: share.describe('share of the locked margin') });
