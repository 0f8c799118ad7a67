import { BadInput } from '../../../core/base/errors.ts';
import { Instruments } from '../../../core/model/instrument.ts';
import { decodeV3Symbols } from '../wire/v3/symbols.ts';
import { RestFailed } from './errors.ts';
import { wordsOf } from './outcome.ts';
import { symbolsCall } from './rest-calls.ts';
import type { RestClient } from './rest.ts';

/**
 * Every symbol of the venue (or those named) as instruments, read over REST before anything else begins. The answer
 * also tells how far the venue's clock is from ours. Throws `RestFailed` when there is no usable answer, `BadInput`
 * when it is not as expected or a named symbol is missing. Source: API v3, "Symbol".
 */
export async function loadInstruments(setup: {
  readonly rest: RestClient;
  readonly symbols?: readonly string[];
}): Promise<Instruments> {
  const { rest, symbols = [] } = setup;
  const reply = await rest.read(symbolsCall(symbols));
  if (reply.verdict.outcome !== 'acknowledged') {
    // Where no answer came there is no status.
    const status = reply.status === 0 ? '' : ` (HTTP ${reply.status})`;
    throw new RestFailed(
      `the symbol list could not be read: ${wordsOf(reply.verdict)}${status}`,
      reply.verdict.outcome !== 'refused',
    );
  }
  const instruments = new Instruments(decodeV3Symbols(reply.body));
  const missing = symbols.filter((symbol) => instruments.find(symbol) === undefined);
  if (missing.length > 0) throw new BadInput(`the venue has no symbol ${missing.join(', ')}`);
  return instruments;
}
