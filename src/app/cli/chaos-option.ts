import { padRight } from '../../core/base/display-width.ts';
import { nearest } from '../../core/base/nearest.ts';
import type { AskedTrouble, Trouble, TroubleName } from '../../exchange/chaos/index.ts';
import { troubleNames, troubles } from '../../exchange/chaos/index.ts';
import type { Output } from '../process/output.ts';
import { UsageError } from './errors.ts';

const seedMax = 4_294_967_295;

/**
 * Troubles that `--chaos NAME[,SEED]` names, each once; a seed that is not given is that of the run. Throws `UsageError` for a name that
 * does not exist or that the command cannot have.
 */
export function askedTroubles(
  texts: readonly string[],
  { seed, ofGateway = false }: { readonly seed: number; readonly ofGateway?: boolean },
): readonly AskedTrouble[] {
  const asked = new Map<TroubleName, AskedTrouble>();
  for (const text of texts) {
    const [word = '', seedText, ...rest] = text.split(',');
    const name = troubleNamed(word, '--chaos');
    const own = seedText === undefined ? seed : Number(seedText);
    if (rest.length > 0 || (seedText !== undefined && !/^\d{1,10}$/.test(seedText)) || own > seedMax)
      throw new UsageError(`--chaos ${text}: expected NAME or NAME,SEED with a seed from 0 to ${seedMax}`);
    const { notAtGateway }: Trouble = troubles[name];
    if (ofGateway && notAtGateway !== undefined)
      throw new UsageError(
        `--chaos ${name}: expected a trouble that a gateway can have, found one of the exchange alone: ${notAtGateway}`,
      );
    asked.set(name, { name, seed: own });
  }
  return [...asked.values()];
}

/** Troubles that `--only` of `check chaos` names; all of them where it names none. Throws `UsageError` for a name that does not exist. */
export function onlyTroubles(words: readonly string[]): readonly TroubleName[] {
  return words.length === 0 ? troubleNames : [...new Set(words.map((word) => troubleNamed(word, '--only')))];
}

function troubleNamed(word: string, option: string): TroubleName {
  const name = troubleNames.find((one) => one === word);
  if (name !== undefined) return name;
  const near = nearest(word, troubleNames);
  const hint = near === undefined ? `${option} list prints them` : `did you mean ${near}?`;
  throw new UsageError(`${option} ${word}: expected the name of a trouble, found none of that name; ${hint}`);
}

/** `--chaos list`: every trouble with its sentence, and whether a gateway can have it. */
export function listTroubles(output: Output, json: boolean): number {
  const rows = troubleNames.map((name) => {
    const { says, notAtGateway }: Trouble = troubles[name];
    return { name, says, gateway: notAtGateway === undefined };
  });
  if (json) output.data(JSON.stringify(rows));
  else
    for (const { name, says, gateway } of rows)
      output.data(`${padRight(name, 24)} ${padRight(gateway ? 'gateway' : '', 8)} ${says}`);
  return 0;
}
