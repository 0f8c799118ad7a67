import { z } from 'zod';
import { nameField, parseWith } from '../fields.ts';

/** One of the caller's keys; never its secret. */
export interface ApiKeyRow {
  readonly apiKey: string;
  readonly rights: readonly ('R1' | 'R2' | 'R3' | 'R4')[];
}

const rows = z.array(
  z.object({ api_key: nameField, access_rights: z.array(z.enum(['R1', 'R2', 'R3', 'R4'])) }),
);

/** The caller's keys. No source knows the shape (v3-gaps, section 14): each key with its access rights. */
export function decodeV3ApiKeys(json: unknown): readonly ApiKeyRow[] {
  return parseWith(rows, json, 'v3 API keys').map((row) => ({
    apiKey: row.api_key,
    rights: row.access_rights,
  }));
}

export function encodeV3ApiKey({ apiKey, rights }: ApiKeyRow): object {
  return { api_key: apiKey, access_rights: rights };
}
