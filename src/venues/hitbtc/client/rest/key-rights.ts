import type { VenueExamination } from '../../../port.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import { apiKeyRow } from '../../wire/resources/index.ts';
import { v3Endpoints } from '../../wire/v3/index.ts';
import type { RestClient } from './rest.ts';
import { callOf, RestFailed } from './rest.ts';
import { verdictText } from '../calls/index.ts';

/** The names of rights, in short or in the words of the page where keys are made. Source: API v3, "Endpoints". */
const words = {
  reads: /^R1$|orderbook|history|trading balance/i,
  trades: /^R2$|place|cancel/i,
  withdraws: /^R4$|withdraw/i,
} as const;

/**
 * The rights of a key, by the list of the user's keys. `undefined` where the venue does not show the key: no source knows the
 * shape of that list. Throws `RestFailed` when the key itself is refused, or no answer comes.
 */
export async function keyRights(rest: RestClient, apiKey: string): Promise<VenueExamination['rights']> {
  const { verdict, body } = await rest.read(callOf(v3Endpoints.userApiKeys, {}).call);
  if (verdict.outcome !== 'acknowledged') return await refusedList(rest, verdictText(verdict));
  let rights: readonly string[] | undefined;
  try {
    rights = apiKeyRow.v3.decodeList(body).find((row) => row.apiKey === apiKey)?.rights;
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
  }
  if (rights === undefined) return undefined;
  const has = (word: RegExp): boolean => rights.some((right) => word.test(right));
  return { reads: has(words.reads), trades: has(words.trades), withdraws: has(words.withdraws) };
}

/** A venue may refuse the list to a good key: whether the key is good shows a read that every trader needs. */
async function refusedList(rest: RestClient, why: string): Promise<undefined> {
  const { verdict } = await rest.read(callOf(v3Endpoints.spotBalances, {}).call);
  if (verdict.outcome === 'acknowledged') return undefined;
  const mayPass = verdict.outcome !== 'refused';
  throw new RestFailed(
    `the key could not be used: ${verdictText(verdict)}; the list of keys: ${why}`,
    mayPass,
  );
}
