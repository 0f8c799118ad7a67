import type { Random } from '../../core/base/random.ts';
import { BadInput } from '../../core/base/errors.ts';
import { Secret } from '../../core/base/secret.ts';
import type { AccountId } from '../matching/index.ts';
import type { AccountOptions, KeyRight } from './options.ts';
import type { Refusal } from './refusal.ts';

/** An API key pair with its access rights. */
export interface ApiKey {
  readonly apiKey: string;
  readonly secret: Secret;
  readonly rights: ReadonlySet<KeyRight>;
  readonly account: ExchangeAccount;
}

/** A participant of the exchange. `internal` ones have no keys and no history: the seeded market's own. */
export interface ExchangeAccount {
  readonly id: AccountId;
  readonly name: string;
  readonly internal: boolean;
  readonly keys: readonly ApiKey[];
}

/** The rule that says whether keys of an account serve now. */
export interface AccountAccess {
  /** Why a key of the account does not serve; `undefined` where it does. */
  admit(account: ExchangeAccount): Refusal | undefined;
}

/** Keys that a server goes by. */
export interface KeyRing {
  /** The pair with that public key, or `undefined`. */
  keyOf(apiKey: string): ApiKey | undefined;
  /** The secret of a public key: what the signature check of the wire asks for. */
  secretOf(apiKey: string): Secret | undefined;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

/** All accounts of the exchange, with their keys. Keys and secrets are made from the seed. */
export class Accounts implements KeyRing {
  readonly #all: ExchangeAccount[] = [];
  readonly #byName = new Map<string, ExchangeAccount>();
  readonly #byKey = new Map<string, ApiKey>();
  readonly #random: Random;

  constructor(options: readonly AccountOptions[], random: Random) {
    this.#random = random;
    for (const account of options) this.#add(account.name, account, false);
  }

  get all(): readonly ExchangeAccount[] {
    return this.#all;
  }

  /** The account of that name. Throws `BadInput` when there is none. */
  get(name: string): ExchangeAccount {
    const account = this.#byName.get(name);
    if (account === undefined) throw new BadInput(`there is no account ${JSON.stringify(name)}`);
    return account;
  }

  at(id: AccountId): ExchangeAccount | undefined {
    return this.#all[id];
  }

  keyOf(apiKey: string): ApiKey | undefined {
    return this.#byKey.get(apiKey);
  }

  secretOf(apiKey: string): Secret | undefined {
    return this.#byKey.get(apiKey)?.secret;
  }

  /** Opens an account without keys for a participant inside the process. */
  open(name: string): ExchangeAccount {
    return this.#add(name, undefined, true);
  }

  #add(name: string, options: AccountOptions | undefined, internal: boolean): ExchangeAccount {
    if (this.#byName.has(name)) throw new BadInput(`account ${JSON.stringify(name)} is listed twice`);
    const keys: ApiKey[] = [];
    const account: ExchangeAccount = { id: this.#all.length as AccountId, name, internal, keys };
    options?.keys.forEach((key, index) => {
      const random = this.#random.fork(`${name}/${index}`);
      const made = text(random.fork('key'), 32);
      const apiKey = key.apiKey ?? made;
      if (this.#byKey.has(apiKey)) throw new BadInput(`the API key of account ${name} is listed twice`);
      const pair = {
        apiKey,
        secret: new Secret(text(random.fork('secret'), 32)),
        rights: new Set(key.rights),
        account,
      };
      keys.push(pair);
      this.#byKey.set(apiKey, pair);
    });
    this.#all.push(account);
    this.#byName.set(name, account);
    return account;
  }
}

function text(random: Random, length: number): string {
  let result = '';
  for (let i = 0; i < length; i++) result += alphabet[random.between(0, alphabet.length - 1)] as string;
  return result;
}

/** E-mail address by which an account is known to other users; its user name is its name. */
export function emailOf(accountName: string): string {
  return `${accountName}@example.com`;
}
