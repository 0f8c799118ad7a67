import { fileURLToPath } from 'node:url';
import { runTickScenario } from '../../../src/app/tick-scenario.ts';
import type { Event } from '../../../src/model/event.ts';
import { levelStride } from '../../../src/model/level-arena.ts';
import { loadScenario } from '../../../src/research/load-scenario.ts';
import { openScenarioData } from '../../../src/research/scenario-recording.ts';
import { publishedRows } from '../support/published-rows.ts';
import { steady } from '../support/steady.ts';

// What `hftbacktest-peer.ts` runs, as our scenario of the same published run: 300 rows, a second apart, which must be the
// published ones. The recordings are read before. Usage: node seconds-ours.ts YESTERDAY.gz TODAY.gz

const home = fileURLToPath(new URL('../../..', import.meta.url));
const loaded = loadScenario(`${home}test/conformance/scenarios/btcusdt-maker.yaml`);
const opened = await openScenarioData(loaded);
const batches: (readonly Event[])[] = [];
// As the peer, only what comes after the files that build the market is counted; building it takes part of our time.
let changes = 0;
let left = opened.prepared;
for await (const batch of opened.recording.events()) {
  batches.push(batch);
  for (const event of batch) if (left-- <= 0) changes += changesIn(event);
}
const recording = {
  ...opened.recording,
  events: async function* () {
    yield* batches;
  },
};
await steady(async () => {
  const { rows, orders, identity } = await runTickScenario({ loaded, home, data: { ...opened, recording } });
  publishedRows(rows as readonly (readonly number[])[]);
  return { changes, orders: orders.length, digest: String(identity['decisions']).slice(0, 12) };
});

function changesIn(event: Event): number {
  if (event.kind === 'trades') return event.trades.length;
  const hasLevels = event.kind === 'bookUpdate' || event.kind === 'bookSnapshot';
  return hasLevels ? (event.end - event.start) / levelStride : 0;
}
