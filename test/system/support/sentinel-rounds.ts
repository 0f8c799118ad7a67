import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { readJournal } from '../../../src/core/journal/index.ts';
import { Venue } from '../chaos/venue.ts';
import { Cli } from './cli.ts';
import { strategyOf } from './stage.ts';
import { until, waitMax } from './until.ts';

/** End of a daemon: killed, stopped in its tracks, or killed by its file. */
export type Death = 'SIGKILL' | 'SIGSTOP' | 'file';

/** One daemon that was ended, and what became of its orders by what the exchange answers. */
export interface SentinelRound {
  readonly death: Death;
  /** From the death to the last order gone that can raise exposure, milliseconds; infinite where one stayed. */
  readonly clearedMs: number;
  /** Orders live at the death, by product, and how many of all could raise exposure. */
  readonly live: Readonly<Record<string, number>>;
  readonly raising: number;
  /** Exits on spot that were cancelled although they only reduce, and not because their strategy had asked for it before a kill file was seen. */
  readonly exitsCanceled: number;
  /** The process of the sentinel, as the system shows it. */
  readonly sentinel: { readonly pid: number; readonly shown: string };
}

export interface SentinelPlan {
  readonly deaths: readonly Death[];
  readonly seed: number;
  readonly onRound?: (round: SentinelRound) => void;
  readonly stopped?: AbortSignal;
}

const clock = new SystemClock();
/** Between two looks at the exchange: its limits are per address, and the sentinel needs most of them. */
const between = millis(100);
const clearedMax = seconds(20);
const quietFor = millis(600);

const orderRows = z.array(
  z.object({
    client_order_id: z.string(),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    status: z.string(),
    quantity: z.string(),
    quantity_cumulative: z.string(),
    order_list_id: z.string().optional(),
    reduce_only: z.boolean().optional(),
    close_position: z.boolean().optional(),
  }),
);
const accountRows = z.array(
  z.object({
    symbol: z.string().nullish(),
    positions: z.array(z.object({ symbol: z.string(), quantity: z.string() })).nullish(),
  }),
);
const historyRows = z.array(z.object({ client_order_id: z.string(), status: z.string() }));

type OrderRow = z.output<typeof orderRows>[number] & { readonly product: string };

/** Ends a daemon that trades all products again and again, and watches over REST, with code of its own, what its sentinel does. */
export async function sentinelRounds({
  deaths,
  seed,
  onRound,
  stopped,
}: SentinelPlan): Promise<readonly SentinelRound[]> {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'godwit-sentinel-'));
  const directory = join(folder, 'run');
  const config = join(folder, 'config.yaml');
  writeFileSync(config, JSON.stringify(configuration(seed)));
  const venue = await Venue.start({ seed, publish: { balanceBatchMs: 50 } });
  let daemon: Cli | undefined;
  try {
    const { account } = venue;
    const args = ['trade', '--mode', 'sim', '--config', config, ...account.settings(directory, {})];
    const done: SentinelRound[] = [];
    await venue.act('stir');
    for (const death of deaths) {
      stopped?.throwIfAborted();
      daemon = new Cli([...args, '--clear-halt'], account.environment);
      const running = daemon;
      const live = await until(
        `orders that can raise exposure; ${running.err}`,
        async () => {
          const orders = running.err.includes('The sentinel watches') ? await liveOrders(venue) : [];
          return (await raisingOf(venue, orders)).length > 0 && orders;
        },
        waitMax,
        between,
      );
      const pid = z
        .object({ pid: z.int() })
        .parse(JSON.parse(readFileSync(join(directory, 'sentinel.json'), 'utf8'))).pid;
      await pause(millis(random.between(0, 500)));
      const begun = clock.uptime();
      if (death === 'file') writeFileSync(join(directory, 'kill'), '');
      else daemon.kill(death);
      const { gone, ...round } = await watched(venue, begun);
      const shown = shownOf(pid);
      daemon.kill('SIGKILL');
      await daemon.end();
      const exitsCanceled = gone.filter((id) => !isAsked(directory, id)).length;
      done.push({ ...round, exitsCanceled, death, live: countBy(live), sentinel: { pid, shown } });
      onRound?.(done[done.length - 1] as SentinelRound);
      rmSync(join(directory, 'kill'), { force: true });
    }
    return done;
  } finally {
    daemon?.kill();
    await venue.close();
    // The sentinel ends without its run directory.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Looks until no order of the daemon can raise exposure. */
async function watched(
  venue: Venue,
  begun: number,
): Promise<Pick<SentinelRound, 'clearedMs' | 'raising'> & { readonly gone: readonly string[] }> {
  const first = await liveOrders(venue);
  const raising = (await raisingOf(venue, first)).length;
  let clearedAt = begun;
  // What was on its way at the death may land after a look that found nothing.
  while (!(clock.uptime() - clearedAt >= quietFor) && clock.uptime() - begun < clearedMax) {
    const orders = await liveOrders(venue);
    const isRaising = (await raisingOf(venue, orders)).length > 0;
    if (isRaising) clearedAt = Number.POSITIVE_INFINITY;
    else if (clearedAt === Number.POSITIVE_INFINITY) clearedAt = clock.uptime();
    await pause(between);
  }
  const clearedMs = Math.round((clearedAt - begun) / 1_000);
  const exits = first.filter(
    ({ product, side, status, order_list_id: list }) =>
      product === 'spot' && side === 'sell' && status === 'new' && list === undefined,
  );
  const left = new Set((await liveOrders(venue)).map(({ client_order_id: id }) => id));
  const gone: string[] = [];
  for (const { client_order_id: id } of exits.filter((one) => !left.has(one.client_order_id))) {
    const [row] = historyRows.parse(await venue.account.ask(`spot/history/order?client_order_id=${id}`));
    if (row?.status === 'canceled') gone.push(id);
  }
  return { clearedMs, raising, gone };
}

/** Whether the strategy had wanted an order canceled or replaced: a daemon that finds a kill file trades until it has found it. */
function isAsked(directory: string, id: string): boolean {
  for (const { event } of readJournal(directory))
    if (
      event.kind === 'intent' &&
      (event.intent.action === 'cancel' || event.intent.action === 'replace') &&
      event.intent.clientOrderId === id
    )
      return true;
  return false;
}

async function liveOrders({ account }: Venue): Promise<readonly OrderRow[]> {
  const all = await Promise.all(
    ['spot', 'margin', 'futures'].map(async (product) =>
      orderRows.parse(await account.ask(`${product}/order`)).map((row) => ({ ...row, product })),
    ),
  );
  return all.flat().filter(({ client_order_id: id }) => id.startsWith('gw-'));
}

/** The orders of which a fill can make a position larger: purchases on spot, and on margin more on one side than is held on the other. */
async function raisingOf({ account }: Venue, orders: readonly OrderRow[]): Promise<readonly OrderRow[]> {
  const held = new Map<string, number>();
  for (const product of ['margin', 'futures'])
    for (const { positions } of accountRows.parse(await account.ask(`${product}/account`)))
      for (const { symbol, quantity } of positions ?? [])
        held.set(`${product} ${symbol}`, (held.get(`${product} ${symbol}`) ?? 0) + Number(quantity));
  return [
    ...Map.groupBy(orders, ({ product, symbol, side }) => `${product} ${symbol} ${side}`).values(),
  ].flatMap((side) => {
    const [first] = side;
    if (first === undefined) return [];
    if (first.product === 'spot') return first.side === 'buy' ? side : [];
    const free = side.filter((one) => one.reduce_only !== true && one.close_position !== true);
    const quantity = held.get(`${first.product} ${first.symbol}`) ?? 0;
    const open = first.side === 'buy' ? -quantity : quantity;
    const working = free.reduce(
      (sum, one) => sum + Number(one.quantity) - Number(one.quantity_cumulative),
      0,
    );
    return working > open + 1e-9 ? free : [];
  });
}

/** What anybody on the machine may see of a process. */
function shownOf(pid: number): string {
  try {
    return ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join(' ');
  } catch {
    return '';
  }
}

function configuration(seed: number): object {
  return {
    run: { seed },
    log: { level: 'silent' },
    sentinel: { enabled: true },
    strategies: [strategyOf('restless', { everyMs: 15 }, { host: 'worker' })],
    orders: { reconcile: { absentMs: 500 }, executions: { max: 1_000 } },
  };
}

function countBy(orders: readonly OrderRow[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [
      ...Map.groupBy(orders, ({ product, order_list_id: list }) =>
        list === undefined ? product : `${product} list`,
      ),
    ].map(([name, rows]) => [name, rows.length]),
  );
}

function pause(duration: Micros): Promise<void> {
  return new Promise((resolve) => void clock.after(duration, resolve));
}
