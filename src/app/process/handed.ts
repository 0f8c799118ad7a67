import { closeSync, readFileSync } from 'node:fs';

/** What `bin/godwit.js` hands to the process that it starts, over a descriptor: nothing of it stands in the environment. */
export interface Handed {
  /** The whole environment as the person set it, and by it the only one that may hold secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Under nohup SIGHUP is no request to stop. */
  readonly hangUpIgnored: boolean;
  /** Whether this process was started without what may be secret. */
  readonly isHanded: boolean;
}

const name = 'GODWIT_HANDED_FD';

/** Read once, before any strategy is loaded: a descriptor gives its bytes a single time. */
export const handed: Handed = read();

function read(): Handed {
  const own = { ...process.env };
  const descriptor = Number(own[name] ?? 'NaN');
  if (!Number.isInteger(descriptor)) return { environment: own, hangUpIgnored: false, isHanded: false };
  Reflect.deleteProperty(process.env, name);
  const text = readFileSync(descriptor, 'utf8');
  closeSync(descriptor);
  const { environment, hangUpIgnored } = JSON.parse(text) as Pick<Handed, 'environment' | 'hangUpIgnored'>;
  return { environment: { ...own, [name]: undefined, ...environment }, hangUpIgnored, isHanded: true };
}
