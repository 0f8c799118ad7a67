import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../core/config/error.ts';
import type { Capabilities, EvidenceWindows } from '../../core/model/capabilities.ts';
import { fullCapabilities } from '../../core/model/capabilities.ts';
import { registerFrameFormat } from '../../data/frames/formats.ts';
import { hitbtc } from '../../venues/hitbtc/venue.ts';
import type { VenueModule } from '../../venues/index.ts';
import type { Config } from '../config/schema.ts';
import { checkedModule } from './checked-module.ts';

/** The venues that come with Godwit, by name. */
const builtIn = { hitbtc } as const;

/** Makes recordings of the venues that come with Godwit readable. Every process and thread that opens recordings calls it first. */
export function registerVenues(): void {
  for (const venue of Object.values(builtIn)) registerFrameFormat(venue.frames);
}

/** Lists files of venues, parted as in `PATH`. */
export const venuesVariable = 'GODWIT_VENUES';

/** The same of venues from files of their own, as `venuesVariable` lists them. Throws `ConfigError` when one of them exports none. */
export async function registerModules(listed: string | undefined): Promise<void> {
  for (const module of (listed ?? '').split(delimiter)) if (module !== '') await loadVenue({ module });
}

const loaded = new Set<string>();

/** The files of venues that this process has loaded, as `venuesVariable` lists them: for threads and processes that it starts. */
export function loadedModules(): string {
  return [...loaded].join(delimiter);
}

/** The venue of a configuration, by name or by the file that exports it. Throws `ConfigError` when the file does not. */
export async function loadVenue({
  name = 'hitbtc',
  module,
}: Pick<Config['venue'], 'module'> & Partial<Pick<Config['venue'], 'name'>>): Promise<VenueModule> {
  if (module === undefined) return builtIn[name];
  const file = resolve(module);
  if (!existsSync(file)) throw new ConfigError(`venue.module: there is no file ${file}`);
  let exported: { readonly default?: unknown };
  try {
    exported = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`venue.module: ${file} cannot be loaded: ${why}`, { cause: error });
  }
  const venue = exported.default;
  const missing = missingOf(venue);
  if (missing !== undefined) {
    throw new ConfigError(
      `venue.module: expected ${file} to export a venue as default, found one without ${missing}`,
    );
  }
  const checked = checkedModule(venue as VenueModule);
  registerFrameFormat(checked.frames);
  loaded.add(file);
  return checked;
}

/**
 * A configuration with the venue's windows of evidence where `orders.reconcile` says none, not even its defaults. The configuration
 * itself when the venue's are no other.
 */
export function withVenueWindows<Settings extends Pick<Config, 'orders'>>(
  config: Settings,
  { evidence }: Capabilities,
): Settings {
  const { reconcile } = config.orders;
  const names = Object.keys(fullCapabilities.evidence) as (keyof EvidenceWindows)[];
  const taken = names.filter(
    (name) => !reconcile.written.includes(name) && evidence[name] !== reconcile[name],
  );
  if (taken.length === 0) return config;
  const windows = Object.fromEntries(taken.map((name) => [name, evidence[name]]));
  return { ...config, orders: { ...config.orders, reconcile: { ...reconcile, ...windows } } };
}

const members: Readonly<Record<keyof VenueModule, string>> = {
  name: 'string',
  capabilities: 'object',
  frames: 'object',
  accountDecoder: 'function',
  addresses: 'function',
  budgets: 'function',
  connect: 'function',
};

function missingOf(venue: unknown): string | undefined {
  const found = typeof venue === 'object' && venue !== null ? (venue as Record<string, unknown>) : {};
  return Object.entries(members).find(([name, type]) => typeof found[name] !== type)?.[0];
}
