import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import { GodwitError } from '../../core/base/errors.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Secret } from '../../core/base/secret.ts';
import type { AccountAccess, ApiKey, ExchangeAccount, KeyRing, Refusal } from '../../exchange/base/index.ts';
import { refuse } from '../../exchange/base/index.ts';
import type { AccountId } from '../../exchange/matching/index.ts';
import type { Config } from '../config/schema.ts';
import { KeyFile } from './key-file.ts';

export interface ProgramKeysDeps {
  readonly config: Pick<Config, 'programs' | 'gateway'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Takes the account of a key by which something is asked for. */
  readonly onRequest: (account: ExchangeAccount) => void;
  /** Takes the account of a key that serves no more: what is open by it ends. */
  readonly onEnd: (account: ExchangeAccount) => void;
}

/** Time between looks at the file while nobody asks, so that what is open by a former key ends soon. */
const lookEvery = millis(500);

/**
 * The keys by which programs ask. The file is looked at with every request, so that a key that was replaced or taken away serves no
 * request that comes later.
 */
export class ProgramKeys implements KeyRing, AccountAccess {
  readonly #setup: ProgramKeysDeps;
  readonly #file: KeyFile;
  #version: string | undefined;
  #byKey = new Map<string, ApiKey>();
  #accounts = new Set<ExchangeAccount>();
  #cancel: Cancel = () => {};

  /** Throws `ConfigError` when the file is none of keys. */
  constructor(setup: ProgramKeysDeps) {
    this.#setup = setup;
    this.#file = new KeyFile(setup.config.gateway.keys);
    this.#readKeys();
  }

  /** Names of programs that have a key. */
  get names(): readonly string[] {
    return [...this.#accounts].map(({ name }) => name);
  }

  start(): void {
    this.#cancel = this.#setup.clock.after(lookEvery, () => {
      this.#refresh();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  keyOf(apiKey: string): ApiKey | undefined {
    this.#refresh();
    return this.#byKey.get(apiKey);
  }

  secretOf(apiKey: string): Secret | undefined {
    return this.keyOf(apiKey)?.secret;
  }

  /** Every request is admitted here; a session that logged in by a former key is served no more. */
  admit(account: ExchangeAccount): Refusal | undefined {
    this.#refresh();
    if (!this.#accounts.has(account)) return refuse(1_002);
    this.#setup.onRequest(account);
    return undefined;
  }

  /** Takes the file anew when it was replaced. One that cannot be read has no keys: nobody is served by a file of before. */
  #refresh(): void {
    if (this.#file.version === this.#version) return;
    try {
      this.#readKeys();
    } catch (error) {
      if (!(error instanceof GodwitError)) throw error;
      this.#setup.log.error(
        { error: error.message },
        'no program is served: the file of their keys is unusable',
      );
      this.#replace(new Map());
    }
  }

  #readKeys(): void {
    this.#version = this.#file.version;
    const keys = this.#file.read();
    const before = new Map([...this.#byKey.values()].map((key) => [key.account.name, key]));
    const next = new Map<string, ApiKey>();
    for (const [at, { name, rights }] of this.#setup.config.programs.entries()) {
      const key = keys.get(name);
      if (key === undefined) continue;
      const { apiKey, secret } = key;
      const former = before.get(name);
      const isSame = former?.apiKey === apiKey && former.secret.reveal() === secret.reveal();
      next.set(apiKey, isSame ? former : keyPair({ name, apiKey, secret, rights, at }));
    }
    this.#replace(next);
  }

  #replace(next: Map<string, ApiKey>): void {
    const accounts = new Set([...next.values()].map(({ account }) => account));
    const ended = [...this.#accounts].filter((account) => !accounts.has(account));
    this.#byKey = next;
    this.#accounts = accounts;
    for (const account of ended) this.#setup.onEnd(account);
  }
}

interface KeyPair {
  readonly name: string;
  readonly apiKey: string;
  readonly secret: Secret;
  readonly rights: Config['programs'][number]['rights'];
  /** Place of the program in the configuration. */
  readonly at: number;
}

function keyPair({ name, apiKey, secret, rights, at }: KeyPair): ApiKey {
  const keys: ApiKey[] = [];
  const account: ExchangeAccount = { id: at as AccountId, name, internal: false, keys };
  const key = { apiKey, secret, rights: new Set(rights), account };
  keys.push(key);
  return key;
}
