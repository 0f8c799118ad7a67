import { SystemClock } from '../../core/base/system-clock.ts';
import { fail } from '../../core/base/assert.ts';
import { ConfigError } from '../../core/config/error.ts';
import { Random } from '../../core/base/random.ts';
import { Faults } from '../../exchange/base/index.ts';
import type { AskedTrouble } from '../../exchange/chaos/index.ts';
import type { TroubledExchange } from '../../exchange/chaos/index.ts';
import { Chaos } from '../../exchange/chaos/index.ts';
import type { TradeSetting } from '../live/index.ts';
import { checkTrade } from '../live/index.ts';
import { runTrade } from '../live/trade.ts';
import { createLogger } from '../process/logger.ts';
import { checkPrograms, withPrograms } from '../run/programs.ts';
import { loadVenue } from '../venue/load.ts';
import { credentialsOf } from '../venue/credentials.ts';
import { PublicRelay } from './public-relay.ts';
import type { GatewayDeps } from './server.ts';
import { GatewayServer } from './server.ts';
import { SharedBudgets } from './shared-budgets.ts';
import { Upstream } from './upstream.ts';

/**
 * A daemon with programs: it listens before it trades, and answers 503 until a run has begun. Rejects with what ends `trade`, and with
 * `ConfigError` where the port is taken; nothing was sent then.
 */
export async function runGateway(
  setting: TradeSetting & { readonly chaos: readonly AskedTrouble[] },
): Promise<number> {
  const { config, output } = setting;
  if (config.programs.length === 0)
    throw new ConfigError(
      'programs: expected at least one program, found none; godwit trade runs strategies alone',
    );
  const clock = new SystemClock();
  await checkTrade({ ...setting, clock });
  const log = createLogger({ level: config.log.level });
  let sockets: GatewayServer | undefined;
  const faults = new Faults(clock, (code, reason) => sockets?.closeSockets(code, reason));
  const server = await GatewayServer.start({
    config,
    clock,
    random: new Random(config.run.seed),
    log,
    ...(await waysOf(setting, clock, faults)),
  });
  sockets = server;
  const symbols = config.programs.flatMap((one) => one.symbols);
  const chaos = new Chaos({ exchange: troubledGateway(faults, symbols), clock, log });
  try {
    for (const asked of setting.chaos) chaos.start(asked);
    const { keyed } = server;
    for (const { name } of config.programs)
      if (!keyed.includes(name))
        output.progress(`note: program ${name} has no key: godwit gateway add ${name}`);
    const read = (): typeof config => {
      const next = withPrograms(setting.read());
      checkPrograms(next);
      return next;
    };
    return await runTrade({ ...setting, config: withPrograms(config), read, programs: server });
  } finally {
    chaos.stop();
    await server.close();
  }
}

/** Ways to the venue's own reads and streams; none where the venue is one of a module, whose interface is another. */
async function waysOf(
  setting: TradeSetting,
  clock: SystemClock,
  faults: Faults,
): Promise<Pick<GatewayDeps, 'upstream' | 'relay' | 'budgets' | 'faults'>> {
  const { config, mode } = setting;
  const budgets = new SharedBudgets(clock);
  if (config.venue.module !== undefined) return { upstream: undefined, relay: undefined, budgets, faults };
  const { baseUrl, wsUrl } = (await loadVenue(config.venue)).addresses(config.venue);
  const random = new Random(config.run.seed).fork('upstream');
  const credentials = mode === 'paper' ? undefined : credentialsOf(setting);
  const { rest, socket } = config.client;
  return {
    upstream: new Upstream({ baseUrl, credentials, clock, random, options: rest, budgets }),
    relay: new PublicRelay({ wsUrl, clock, random, options: socket, budgets, faults }),
    budgets,
    faults,
  };
}

/** The face of the gateway as troubles meet it: none of them acts at the venue. */
export function troubledGateway(faults: Faults, symbols: readonly string[]): TroubledExchange {
  return {
    faults,
    symbols: () => [...new Set(symbols)],
    setStatus: (symbol) => fail('a trouble of a gateway acts at the venue', { symbol }),
    cancelAll: () => fail('a trouble of a gateway acts at the venue'),
  };
}
