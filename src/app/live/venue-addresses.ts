import { ConfigError } from '../../core/config/error.ts';
import type { Config } from '../config/schema.ts';
import { presets } from '../config/sections.ts';

export interface VenueAddresses {
  readonly baseUrl: string;
  readonly wsUrl: string;
}

/** Where the venue is: the preset's hosts, or `base_url` and `ws_url`. Throws `ConfigError` when one is missing or goes on to a path. */
export function venueAddresses(venue: Config['venue']): VenueAddresses {
  const preset = venue.preset === 'custom' ? undefined : presets[venue.preset];
  const baseUrl = venue.base_url ?? preset?.base_url;
  const wsUrl = venue.ws_url ?? preset?.ws_url;
  if (baseUrl === undefined)
    throw new ConfigError('venue.base_url: expected the REST address, or a venue.preset, found nothing');
  if (wsUrl === undefined)
    throw new ConfigError('venue.ws_url: expected the socket address, or a venue.preset, found nothing');
  refusePath('venue.base_url', baseUrl);
  refusePath('venue.ws_url', wsUrl);
  return { baseUrl, wsUrl };
}

/** The paths of the documents are ours to add: a second one would lead nowhere. */
function refusePath(setting: string, address: string): void {
  const bare = address.replace(/\/api\/[23](\/.*)?$/, '');
  if (bare !== address)
    throw new ConfigError(`${setting}: expected the address without its path, ${bare}, found ${address}`);
}

/** Whether an address leads to this machine. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
