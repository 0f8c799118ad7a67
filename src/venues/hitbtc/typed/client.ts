import type { Clock } from '../../../core/base/clock.ts';
import { Random } from '../../../core/base/random.ts';
import { Secret } from '../../../core/base/secret.ts';
import { SystemClock } from '../../../core/base/system-clock.ts';
import type { BudgetOptionsInput } from '../budgets/options.ts';
import { budgetOptions } from '../budgets/options.ts';
import { PathBudgets } from '../budgets/path.ts';
import type { ApiVersion } from '../client/index.ts';
import { V2Api } from './api.ts';
import { V3Api } from './api.ts';
import type { ClientOptionsInput } from '../../options.ts';
import { clientOptions } from '../../options.ts';
import { RestClient } from '../client/index.ts';
import type { Observable } from 'rxjs';
import { TypedCaller, RowReader } from './calls/index.ts';
import type { UnreadableRow } from './calls/index.ts';
import type { SocketClients } from './sockets/index.ts';
import { socketClients } from './sockets/index.ts';

/** Where the venue is, and who asks. */
export interface GodwitClientOptions {
  /** As the documents write it, without `/api/3`. */
  readonly baseUrl: string;
  /** For the sockets: as the documents write it, without `/api/3`. */
  readonly wsUrl?: string;
  /** An API key. Without it the calls that need one are `denied`. */
  readonly credentials?: { readonly apiKey: string; readonly secret: string | Secret };
  /** How REST calls are signed: HS256 unless said otherwise; Basic only to this machine. */
  readonly scheme?: 'HS256' | 'Basic';
  /** The machine's clock unless given. */
  readonly clock?: Clock;
  /** Random numbers for pauses, seeded from the clock unless given. */
  readonly random?: Random;
  /** Timeouts, caps and pauses. */
  readonly options?: ClientOptionsInput;
  /** Our share of the documents' rate limits. */
  readonly budgets?: BudgetOptionsInput;
}

/**
 * The whole API, typed: REST of both versions by `v3` and `v2`, sockets by `sockets`. It waits for room under the
 * documents' limits, keeps connections alive, repeats reads and never writes. Calls reject with `CallFailed`, whose
 * `failure` is a union by `kind`; `attempt(call)` gives the same as a value.
 *
 * Throws `AddressRefused` when an address is none, or credentials would leave this machine unencrypted.
 */
export class GodwitClient {
  readonly v3: V3Api;
  readonly v2: V2Api;
  /** Makes sockets; each call opens a connection of its own. */
  readonly sockets: SocketClients;
  readonly #rests: readonly RestClient[];
  readonly #rows = new RowReader();
  readonly #closeSockets: () => Promise<void>;

  constructor(setup: GodwitClientOptions) {
    const { baseUrl, scheme, clock = new SystemClock() } = setup;
    const random = setup.random ?? new Random(clock.now());
    const options = clientOptions.parse(setup.options ?? {});
    const budgets = new PathBudgets(budgetOptions.parse(setup.budgets ?? {}), clock);
    const credentials = setup.credentials && {
      apiKey: setup.credentials.apiKey,
      secret: asSecret(setup.credentials.secret),
    };
    const restOf = (version: ApiVersion): RestClient =>
      new RestClient({
        baseUrl,
        version,
        clock,
        random: random.fork(`rest ${version}`),
        options: options.rest,
        ...(credentials && { credentials }),
        ...(scheme && { scheme }),
      });
    const callerOf = (version: ApiVersion, rest: RestClient): TypedCaller =>
      new TypedCaller({
        version,
        rest,
        clock,
        budgets,
        hasCredentials: credentials !== undefined,
        rows: this.#rows,
        callsMax: options.rest.inFlightMax,
      });
    const [v3, v2] = [restOf('v3'), restOf('v2')];
    this.#rests = [v3, v2];
    this.v3 = new V3Api(callerOf('v3', v3));
    this.v2 = new V2Api(callerOf('v2', v2));
    const { clients, close } = socketClients({
      wsUrl: setup.wsUrl,
      clock,
      random: random.fork('sockets'),
      options,
      budgets,
      rows: this.#rows,
      credentials,
      clockOffset: v3.clockOffset,
    });
    this.sockets = clients;
    this.#closeSockets = close;
  }

  /**
   * Rows of answers and notifications that were left out because they could not be read; `unreadableRows(answer)`
   * gives those of one answer. While nothing subscribes, the first one of each call is a warning of the process.
   */
  get unreadable$(): Observable<UnreadableRow> {
    return this.#rows.unreadable$;
  }

  /** Ends every connection; what is unanswered ends `unknown`. */
  async close(): Promise<void> {
    await Promise.all([this.#closeSockets(), ...this.#rests.map((rest) => rest.close())]);
    this.#rows.close();
  }
}

function asSecret(secret: string | Secret): Secret {
  return typeof secret === 'string' ? new Secret(secret) : secret;
}
