import { fail } from '../../core/base/assert.ts';
import type { Venue } from '../../core/bus/venue.ts';
import type { Capabilities } from '../../core/model/capabilities.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import { contingencyTypes } from '../../core/model/order-list.ts';
import type { ConnectSetup, OpenVenueSetup, VenueConnection, VenueModule } from '../port.ts';
import { hitbtcAddresses } from './addresses.ts';
import { ApiBudgets } from './budgets/api.ts';
import { budgetOptions } from './budgets/options.ts';
import { ClockOffset } from './client/clock-offset.ts';
import { LiveVenue } from './client/live-venue.ts';
import { PrivateStreamHandler } from './client/private-stream.ts';
import { RestClient } from './client/rest.ts';
import { loadInstruments } from './client/symbol-list.ts';
import { hitbtcFrames } from './market-data/frames.ts';

/** What the Trading API v3 can do. Source: API v3, "Spot trading"; v3-gaps, sections 2 and 10; faults, section 1. */
const capabilities: Capabilities = {
  orderLists: contingencyTypes,
  replace: true,
  margin: true,
  clientOrderId: { pattern: /^[A-Za-z0-9_-]{8,32}$/, lengthMax: 32, text: '8 to 32 of A-Za-z0-9_-' },
  minimumNotional: {},
  feeCurrency: 'quote',
  evidence: { absentMs: 90_000, aliveMs: 5_000, marginMs: 120_000 },
};

/** The HitBTC family of venues: every host that speaks the Trading API v3 and v2. */
export const hitbtc: VenueModule = {
  name: 'hitbtc',
  capabilities,
  frames: hitbtcFrames,
  // A halt that followed an unreadable message is a mark of its own in the recording.
  accountDecoder: (setup) => new PrivateStreamHandler({ ...setup, onFatal: () => {} }),
  addresses: hitbtcAddresses,
  budgets: (limits, clock) => new ApiBudgets(budgetOptions.parse(limits), clock),
  connect: (setup) => new HitbtcConnection(setup),
};

class HitbtcConnection implements VenueConnection {
  readonly #setup: ConnectSetup;
  /** The answer with the symbol list also says how far the venue's clock is ahead. */
  readonly #clockOffset = new ClockOffset();

  constructor(setup: ConnectSetup) {
    this.#setup = setup;
  }

  async listInstruments(): Promise<Instruments> {
    const { settings, options, clock, random } = this.#setup;
    const rest = new RestClient({
      baseUrl: hitbtcAddresses(settings).baseUrl,
      clock,
      random: random.fork('symbols'),
      options: options.rest,
      clockOffset: this.#clockOffset,
    });
    try {
      return await loadInstruments({ rest });
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
