import { microsPerMilli, timeText } from '../../core/base/clock.ts';
import type { Micros } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { Config } from '../config/schema.ts';
import { columns } from '../operate/columns.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { KeyFile } from './key-file.ts';
import { checkPrograms, programOf } from '../run/programs.ts';

export interface KeysSetting {
  readonly config: Config;
  readonly output: Output;
  readonly json: boolean;
}

/** Act on the key of one program. */
export type KeyAct = 'add' | 'rotate' | 'revoke';

/**
 * Makes the key of a program, replaces it, or takes it away. A secret is shown once, where it is made; a gateway that runs goes by the file
 * at once. Returns the exit code. Throws `ConfigError` for a program that is not configured, and for a file that is none of keys.
 */
export function changeKey({ config, output, json }: KeysSetting, act: KeyAct, name: string): number {
  checkPrograms(config);
  const file = new KeyFile(config.gateway.keys);
  const before = file.read().get(name);
  // The key of a program that was taken out of the configuration can still be taken away.
  if (act !== 'revoke' || before === undefined) programOf(config, name);
  if (act === 'add' && before !== undefined) {
    output.progress(`Program ${name} has a key already: godwit gateway rotate ${name} replaces it.`);
    return exitCodes.failed;
  }
  if (act !== 'add' && before === undefined) {
    output.progress(`Program ${name} has no key: godwit gateway add ${name} makes one.`);
    return exitCodes.notFound;
  }
  if (act === 'revoke') {
    file.remove(name);
    output.data(json ? JSON.stringify({ program: name, revoked: true }) : `The key of ${name} is gone.`);
    return exitCodes.done;
  }
  const key = file.make(name, Math.floor(new SystemClock().now() / microsPerMilli));
  const shown = { program: name, api_key: key.apiKey, secret_key: key.secret.reveal() };
  if (json) output.data(JSON.stringify(shown));
  else for (const [title, value] of Object.entries(shown)) output.data(`${title.padEnd(12)}${value}`);
  output.progress(`The secret is shown this once; it is kept in ${file.path}.`);
  return exitCodes.done;
}

/** Prints every program, with its public key if it has one. */
export function listKeys({ config, output, json }: KeysSetting): number {
  checkPrograms(config);
  const keys = new KeyFile(config.gateway.keys).read();
  const configured = config.programs.map(({ name, rights, symbols }) => ({ name, rights, symbols }));
  const names = new Set(configured.map(({ name }) => name));
  const left = [...keys.keys()].filter((name) => !names.has(name));
  const rows = [...configured, ...left.map((name) => ({ name, rights: [], symbols: [] }))].map((one) => {
    const key = keys.get(one.name);
    return {
      program: one.name,
      api_key: key?.apiKey ?? null,
      since: key === undefined ? null : timeText((key.madeAt * microsPerMilli) as Micros),
      rights: one.rights,
      symbols: one.symbols,
      configured: names.has(one.name),
    };
  });
  if (json) {
    output.data(JSON.stringify(rows));
    return exitCodes.done;
  }
  const shown = rows.map(({ rights, symbols, configured: isThere, ...row }) => ({
    ...row,
    rights: isThere ? rights.join(' ') : 'not in the configuration',
    symbols: symbols.join(' '),
  }));
  for (const line of columns(shown, ['program', 'api_key', 'since', 'rights', 'symbols'])) output.data(line);
  return exitCodes.done;
}
