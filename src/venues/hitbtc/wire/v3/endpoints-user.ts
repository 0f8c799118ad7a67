import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import type { Word } from '../kinds.ts';
import { nameKind, plainKind } from '../kinds.ts';
import { resource } from '../resource.ts';
import { noParams } from '../param-fields.ts';

const rights = z.array(z.string().min(1).max(80)) as unknown as z.ZodType<
  readonly Word<'R1' | 'R2' | 'R3' | 'R4'>[]
>;

/** One of the caller's keys with its access rights, never its secret. No source knows the shape (v3-gaps, section 14). */
export const apiKeyRow = resource('API key', {
  apiKey: { v3: 'api_key', kind: nameKind },
  rights: { v3: 'access_rights', kind: plainKind(rights) },
});

/** Calls about the user behind a key. */
export const userEndpoints = {
  userApiKeys: endpoint({
    method: 'GET',
    payload: 'query',
    path: '/api/3/user/api-keys',
    right: 'key',
    params: noParams,
    answer: apiKeyRow.v3.decodeList,
    source: 'v3-gaps, section 8 ("Also GET user/api-keys")',
  }),
} as const;
