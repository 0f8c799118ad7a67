import { setTimeout as sleep } from 'node:timers/promises';
import { liveReactor } from '../support/live-reactor.ts';
import { cpuMicros, print, quantile } from '../support/print.ts';
import { WireProbe } from '../support/wire-probe.ts';

// From the packet with a book update to the order handed to the socket, in one process: live venue, bus, state, strategy,
// orders, gate, with the journal in memory (a durable one adds its sync). 2,000 frames a second, each answered by an order.
// The strategy runs in a worker, or with `thread` in the thread of the trader.
// The core is wired as the daemon wires it; with `awake` the loop never sleeps. Usage: node reaction.ts [thread] [awake]
// `value`: our own code, from the frame to the call of `send`. `wholeP50`: from the 'data' event to the end of the write.

const given = process.argv.slice(2);
const reactor = await liveReactor({
  stayAwake: given.includes('awake'),
  host: given.includes('thread') ? 'thread' : 'worker',
});
const probe = new WireProbe();
await reactor.start();
await sleep(3_000);
const before = probe.own.length;
const cpu = cpuMicros();
const switches = process.resourceUsage().involuntaryContextSwitches;
await sleep(7_000);
const cpuUsed = cpuMicros() - cpu;
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
  cpuAnOrder: cpuUsed / owns.length,
  preempted: (process.resourceUsage().involuntaryContextSwitches - switches) / owns.length,
});
reactor.child.close();
process.exit(0);
