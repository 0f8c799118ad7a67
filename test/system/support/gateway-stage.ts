import { join } from 'node:path';
import { KeyFile } from '../../../src/app/gateway/key-file.ts';
import { PublicRelay } from '../../../src/app/gateway/public-relay.ts';
import { GatewayServer } from '../../../src/app/gateway/server.ts';
import { SharedBudgets } from '../../../src/app/gateway/shared-budgets.ts';
import { Upstream } from '../../../src/app/gateway/upstream.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { Faults } from '../../../src/exchange/base/index.ts';
import { fail } from '../../../src/core/base/assert.ts';
import { clientOptions } from '../../../src/venues/options.ts';
import type { ConfigInput, StageParts } from './stage.ts';
import { quickReads, Stage } from './stage.ts';
import { until } from './until.ts';

/** Answer of the gateway over HTTP. */
export interface Answered {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Counts the connections that it opens. */
class CountedRelay extends PublicRelay {
  opened = 0;

  override open(...parts: Parameters<PublicRelay['open']>): ReturnType<PublicRelay['open']> {
    this.opened += 1;
    return super.open(...parts);
  }
}

/** A stage whose daemon has programs, and what serves them. */
export interface GatewayStage {
  readonly stage: Stage;
  readonly gateway: GatewayServer;
  readonly keys: KeyFile;
  /** Switches of what programs meet. */
  readonly faults: Faults;
  /** How many sockets of market data were opened to the venue so far for programs. */
  readonly passedOn: () => number;
  /** Asks as a program, by Basic. */
  readonly ask: (
    program: string,
    method: string,
    path: string,
    form?: Record<string, string>,
  ) => Promise<Answered>;
  /** Posts JSON as a program, by Basic. */
  readonly post: (program: string, path: string, json: object) => Promise<Answered>;
  close(): Promise<void>;
}

// A busy machine may be late with the market.
const orders = { lastTradeNeeded: false, marketLagMsMax: 60_000, reconcile: quickReads } as const;

/** Opens an exchange, a daemon on it and a gateway, with a key for each program. `config`: more of the configuration. */
export async function openGateway(
  programs: readonly ConfigInput[],
  { config, ...parts }: Partial<StageParts> = {},
): Promise<GatewayStage> {
  let gateway: GatewayServer | undefined;
  let keys: KeyFile | undefined;
  let relay: CountedRelay | undefined;
  const clock = new SystemClock();
  const faults = new Faults(clock, (code, reason) => gateway?.closeSockets(code, reason));
  const own = config?.['orders'] as ConfigInput | undefined;
  const stage = await Stage.open({
    strategies: [],
    exchange: { flow: { enabled: false } },
    ...parts,
    // Orders of the test are all that is there: no trade came before them.
    config: { programs, gateway: { answerMs: 3_000 }, ...config, orders: { ...orders, ...own } },
    programs: async (opened) => {
      const file = new KeyFile(join(opened.directory, 'keys.json'));
      for (const { name } of opened.config.programs) file.make(name, 0);
      const budgets = new SharedBudgets(clock);
      const upstream = new Upstream({
        budgets,
        baseUrl: opened.exchange.restUrl,
        credentials: opened.exchange.accounts.get('demo').keys[0],
        clock,
        random: new Random(5),
        options: clientOptions.parse({}).rest,
      });
      gateway = await GatewayServer.start({
        config: { ...opened.config, gateway: { ...opened.config.gateway, keys: file.path } },
        clock,
        random: new Random(4),
        log: silentLogger,
        upstream,
        budgets,
        faults,
        relay: (relay = new CountedRelay({
          budgets,
          faults,
          wsUrl: opened.exchange.wsUrl,
          clock,
          random: new Random(6),
          options: clientOptions.parse({}).socket,
        })),
      });
      keys = file;
      return gateway;
    },
  });
  if (gateway === undefined || keys === undefined) fail('a stage was opened without its gateway');
  const [server, file] = [gateway, keys];
  await until('the start of the programs', () => stage.daemon.trader.started);
  return {
    stage,
    gateway: server,
    keys: file,
    faults,
    passedOn: () => relay?.opened ?? 0,
    ask: (program, method, path, form) =>
      askAs(server.restUrl, pairOf(file, program), { method, path, form }),
    post: (program, path, json) =>
      askAs(server.restUrl, pairOf(file, program), { method: 'POST', path, json }),
    close: async () => {
      await stage.close();
      await server.close();
    },
  };
}

function pairOf(file: KeyFile, program: string): string {
  const key = file.read().get(program);
  return `${key?.apiKey}:${key?.secret.reveal()}`;
}

/** As `openGateway`, with a book of BTCUSDT by another account: 1 BTC each is bought at 63,000 and sold at 65,000. */
export async function openWithMarket(
  programs: readonly ConfigInput[],
  parts: Partial<StageParts> = {},
): Promise<GatewayStage> {
  const on = await openGateway(programs, parts);
  const { exchange, daemon } = on.stage;
  const other = exchange.accounts.get('demo-two').keys[0];
  const pair = `${other?.apiKey}:${other?.secret.reveal()}`;
  for (const [side, price] of [
    ['buy', '63000'],
    ['sell', '65000'],
  ] as const)
    await askAs(exchange.restUrl, pair, {
      method: 'POST',
      path: '/api/3/spot/order',
      form: { symbol: 'BTCUSDT', side, price, quantity: '1' },
    });
  const { view, instruments } = daemon.trader;
  const { id } = instruments.get('BTCUSDT');
  await until('the book', () => view.book(id).bestAsk !== undefined && view.book(id).bestBid !== undefined);
  return on;
}

/** Asks the gateway with that pair of key and secret. */
export async function askAs(
  url: string,
  pair: string,
  {
    method,
    path,
    form,
    json,
  }: { method: string; path: string; form?: Record<string, string> | undefined; json?: object },
): Promise<Answered> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(form !== undefined && { body: new URLSearchParams(form) }),
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return { status: response.status, body: await response.json() };
}
