import { fail } from '../../core/base/assert.ts';
import type { Credentials } from '../../core/base/secret.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { ConnectDeps, OpenVenueSetup, VenueConnection, VenueExamination } from '../port.ts';
import { hitbtcAddresses } from './addresses.ts';
import { ApiBudgets } from './budgets/api.ts';
import { ClockOffset } from '../net/index.ts';
import { keyRights, LiveVenue, RestClient, loadInstruments } from './client/index.ts';
import { readTime } from './wire/index.ts';

/** A way to one account over the Trading API: HTTP for the symbol list, sockets and HTTP for the rest. */
export class HitbtcConnection implements VenueConnection {
  readonly #setup: ConnectDeps;
  /** The answer with the symbol list also says how far the venue's clock is ahead. */
  readonly #clockOffset = new ClockOffset(readTime);

  constructor(setup: ConnectDeps) {
    this.#setup = setup;
  }

  listInstruments(): Promise<Instruments> {
    return this.#asking(undefined, (rest) => loadInstruments({ rest, log: this.#setup.log }));
  }

  examine(): Promise<VenueExamination> {
    const { credentials } = this.#setup;
    return this.#asking(credentials, async (rest) => {
      if (!this.#clockOffset.measured) await loadInstruments({ rest });
      const rights = credentials === undefined ? undefined : await keyRights(rest, credentials.apiKey);
      return { clockOffset: this.#clockOffset.offset, rights };
    });
  }

  async #asking<Answer>(
    credentials: Credentials | undefined,
    ask: (rest: RestClient) => Promise<Answer>,
  ): Promise<Answer> {
    const { settings, options, clock, random } = this.#setup;
    const rest = new RestClient({
      baseUrl: hitbtcAddresses(settings).baseUrl,
      credentials,
      clock,
      random: random.fork('symbols'),
      options: options.rest,
      clockOffset: this.#clockOffset,
    });
    try {
      return await ask(rest);
    } finally {
      await rest.close();
    }
  }

  open({ budgets, ...setup }: OpenVenueSetup): Venue {
    const { settings, credentials, clock, random, log, options } = this.#setup;
    if (!(budgets instanceof ApiBudgets)) fail('a venue was opened with the budgets of another', {});
    return new LiveVenue({
      ...setup,
      ...hitbtcAddresses(settings),
      budgets,
      credentials,
      clock,
      random: random.fork('venue'),
      log,
      options,
      api: settings.api === 'v2' ? 'v2' : 'v3',
      clockOffset: this.#clockOffset,
    });
  }
}
