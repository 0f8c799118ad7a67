import type { Capabilities } from '../../core/model/capabilities.ts';
import { contingencyTypes } from '../../core/model/order-list.ts';
import type { VenueModule } from '../port.ts';
import { hitbtcAddresses } from './addresses.ts';
import { ApiBudgets } from './budgets/api.ts';
import { budgetOptions } from './budgets/options.ts';
import { PrivateStreamHandler } from './client/account/private-stream.ts';
import { hitbtcFrames } from './market-data/frames.ts';

/** Abilities of the Trading API v3. Source: API v3, "Spot trading"; v3-gaps, sections 2 and 10; faults, section 1. */
const capabilities: Capabilities = {
  orderLists: contingencyTypes,
  replace: true,
  cancelAll: true,
  margin: true,
  transfers: true,
  bookReads: true,
  clientOrderId: { pattern: /^[A-Za-z0-9_-]{8,32}$/, lengthMax: 32, text: '8 to 32 of A-Za-z0-9_-' },
  minimumNotional: {},
  feeCurrency: 'quote',
  evidence: { absentMs: 90_000, aliveMs: 5_000, marginMs: 120_000 },
  openOrdersMax: { account: 25_000, symbol: 2_000 },
};

/** The HitBTC family of venues: every host that speaks the Trading API v3 and v2. */
export const hitbtc: VenueModule = {
  name: 'hitbtc',
  capabilities,
  frames: hitbtcFrames,
  // A halt that followed an unreadable message is a mark of its own in the recording.
  accountDecoder: (setup) => new PrivateStreamHandler({ ...setup, onUnread: () => {} }),
  addresses: hitbtcAddresses,
  budgets: (limits, clock) => new ApiBudgets(budgetOptions.parse(limits), clock),
  // Runs on recordings never load the clients of HTTP and sockets: that is most of the code of the venue.
  connect: async (setup) => {
    const { HitbtcConnection } = await import('./connection.ts');
    return new HitbtcConnection(setup);
  },
};
