import { setTimeout as sleep } from 'node:timers/promises';
import { RunInputs } from '../../../src/app/live/run-inputs.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { Random } from '../../../src/core/base/random.ts';
import { Secret } from '../../../src/core/base/secret.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { TurnClock } from '../../../src/core/base/turn-clock.ts';
import { ApiBudgets } from '../../../src/venues/hitbtc/budgets/api.ts';
import { LiveVenue } from '../../../src/venues/hitbtc/client/live-venue.ts';
import { clientOptions } from '../../../src/venues/options.ts';
import { MemoryJournal } from '../../../src/core/journal/memory.ts';
import { Trader } from '../../../src/core/trader/trader.ts';
import { benchSpec } from '../support/book-frames.ts';
import { startChild } from '../support/child.ts';
import { print, quantile } from '../support/print.ts';
import { instruments, parts, plan, unbound, warmUp } from '../support/reactor-parts.ts';
import { WireProbe } from '../support/wire-probe.ts';

// From the packet with a book update to the order handed to the socket, in one process: live venue, bus, state, strategy,
// orders, gate, with the journal in memory (a durable one adds its sync). 2,000 frames a second, each answered by an order.
// The core is wired as the daemon wires it; with `awake` the loop never sleeps. Usage: node reaction.ts [awake]
// `value`: our own code, from the frame to the call of `send`. `wholeP50`: from the 'data' event to the end of the write.

const stayAwake = process.argv[2] === 'awake';

await warmUp();
const child = await startChild('pace-server.ts', ['2000']);
const said = child.said as { rest: string; ws: string; apiKey: string; secretKey: string };
const real = new SystemClock();
const clock = new TurnClock(real);
const inputs = new RunInputs({ real, turns: clock, record: undefined });
const budgets = new ApiBudgets(unbound, clock);
const venue = new LiveVenue({
  clock: real,
  random: new Random(1),
  log: silentLogger,
  instruments,
  baseUrl: said.rest,
  wsUrl: said.ws,
  options: clientOptions.parse({ socket: { stayAwake } }),
  credentials: { apiKey: said.apiKey, secret: new Secret(said.secretKey) },
  subscriptions: [
    {
      instrument: instruments.get(benchSpec.symbol).id,
      book: true,
      trades: true,
      ticker: false,
      candles: [],
    },
  ],
  budgets,
});
const trader = new Trader({
  ...parts,
  clock,
  venue: {
    events: inputs.events(venue.events),
    marketData: inputs.marketData(venue.marketData),
    send: (command) => venue.send(command),
    close: () => venue.close(),
  },
  journal: new MemoryJournal(),
  budgets,
  run: 'bench',
  strategies: [plan(clock, 'bench')],
});

const probe = new WireProbe();
trader.start('live');
while (!trader.started) await sleep(20);
await sleep(3_000);
const before = probe.own.length;
const switches = process.resourceUsage().involuntaryContextSwitches;
await sleep(7_000);
const owns = probe.own.slice(before);
const wholes = probe.whole.slice(before);
if (owns.length < 1_000) throw new Error(`only ${owns.length} orders left in seven seconds`);
print({
  value: quantile(owns, 0.5),
  ownP10: quantile(owns, 0.1),
  ownP99: quantile(owns, 0.99),
  wholeP50: quantile(wholes, 0.5),
  wholeP10: quantile(wholes, 0.1),
  wholeP99: quantile(wholes, 0.99),
  orders: owns.length,
  preempted: (process.resourceUsage().involuntaryContextSwitches - switches) / owns.length,
});
child.close();
process.exit(0);
