import { ConfigError } from '../../core/config/error.ts';
import type { VenueAddresses, VenueSettings } from '../port.ts';

/** Public hosts that speak this API. Source: v3-gaps, introduction. */
export const presets = {
  hitbtc: { base_url: 'https://api.hitbtc.com', ws_url: 'wss://api.hitbtc.com' },
  fmfw: { base_url: 'https://api.fmfw.io', ws_url: 'wss://api.fmfw.io' },
  cryptomarket: {
    base_url: 'https://api.exchange.cryptomkt.com',
    ws_url: 'wss://api.exchange.cryptomkt.com',
  },
  bequant: { base_url: 'https://api.bequant.io', ws_url: 'wss://api.bequant.io' },
} as const;

/** The preset's hosts, or `base_url` and `ws_url`. Throws `ConfigError` when one is missing or goes on to a path. */
export function hitbtcAddresses(settings: VenueSettings): VenueAddresses {
  const preset = Object.hasOwn(presets, settings.preset)
    ? presets[settings.preset as keyof typeof presets]
    : undefined;
  const baseUrl = settings.base_url ?? preset?.base_url;
  const wsUrl = settings.ws_url ?? preset?.ws_url;
  if (baseUrl === undefined)
    throw new ConfigError('venue.base_url: expected the REST address, or a venue.preset, found nothing');
  if (wsUrl === undefined)
    throw new ConfigError('venue.ws_url: expected the socket address, or a venue.preset, found nothing');
  refusePath('venue.base_url', baseUrl);
  refusePath('venue.ws_url', wsUrl);
  return { baseUrl, wsUrl };
}

/** The paths of the documents are added here: a second one would lead nowhere. */
function refusePath(setting: string, address: string): void {
  const bare = address.replace(/\/api\/[23](\/.*)?$/, '');
  if (bare !== address)
    throw new ConfigError(`${setting}: expected the address without its path, ${bare}, found ${address}`);
}
