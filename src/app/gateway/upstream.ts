import type { Clock } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { Credentials } from '../../core/base/secret.ts';
import type { Refusal } from '../../exchange/base/index.ts';
import { refuse } from '../../exchange/base/index.ts';
import type { ClientOptions } from '../../venues/index.ts';
import type { ApiVersion } from '../../venues/hitbtc/client/index.ts';
import { RestClient, restRoots, wholeText } from '../../venues/hitbtc/client/index.ts';
import { noAnswer, venueRefusal } from './denials.ts';
import type { SharedBudgets } from './shared-budgets.ts';

export interface UpstreamDeps {
  /** Address as the documents write it, without `/api/3`. */
  readonly baseUrl: string;
  /** Key of the daemon's account; nothing of the account is read without them. */
  readonly credentials: Credentials | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ClientOptions['rest'];
  readonly budgets: SharedBudgets;
}

/** Limits that public reads count in. Source: API v3, "Limits"; API v2, "Limits". */
const publicScopes = { v3: 'restPublic', v2: 'publicV2' } as const;

/** Reads that are passed on to the venue: public data as they are asked for, and what of the account a program may see. */
export class Upstream {
  /** Whether it may read the account. */
  readonly isSigned: boolean;
  readonly #rests: Readonly<Record<ApiVersion, RestClient>>;
  readonly #budgets: SharedBudgets;

  constructor({ baseUrl, credentials, clock, random, options, budgets }: UpstreamDeps) {
    this.isSigned = credentials !== undefined;
    const restOf = (version: ApiVersion): RestClient =>
      new RestClient({ baseUrl, version, credentials, clock, random: random.fork(version), options });
    this.#rests = { v3: restOf('v3'), v2: restOf('v2') };
    this.#budgets = budgets;
  }

  /** Text of the answer to a read. `path`: from `/api/3` or `/api/2` on. */
  async read(path: string, query: string, signed: boolean): Promise<string | Refusal> {
    const version = path.startsWith(`${restRoots.v2}/`) ? 'v2' : 'v3';
    const settle = await this.#budgets.takeSlot(signed ? 'restDefault' : publicScopes[version]);
    if (settle === undefined)
      return refuse(429, { description: 'The limit of the venue is used up by the daemon and all programs' });
    const below = path.slice(restRoots[version].length);
    const { verdict, texts } = await this.#rests[version].send({
      method: 'GET',
      path: below,
      query,
      signed,
      isText: true,
    });
    settle(verdict.outcome === 'limited');
    switch (verdict.outcome) {
      case 'acknowledged':
        return wholeText(texts);
      case 'unknown':
        return noAnswer();
      case 'limited':
      case 'refused':
        return venueRefusal(verdict.code, verdict.description ?? verdict.message);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#rests.v3.close(), this.#rests.v2.close()]);
  }
}
