import { fileURLToPath } from 'node:url';
import { openTickRun } from '../../../src/app/backtest/tick-run.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { levelStride } from '../../../src/core/model/level-buffer.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { feedSetupOf, openScenarioData } from '../../../src/research/scenario/recording.ts';
import { holdTickFeed } from '../../support/held-feed.ts';
import { publishedRows } from '../support/published-rows.ts';
import { steady, timed } from '../support/steady.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';

// What `hftbacktest-peer.ts` runs, as our scenario of the same published run: 300 rows, a second apart, which must be the
// published ones. As the peer has its arrays, its first book and its empty rows, so here the feed is held before (the
// recordings read, the market data in order), trader and venue are made and the market at the start is built; what is timed is
// the way from the first fact to the last row. Usage: node seconds-ours.ts YESTERDAY.gz TODAY.gz

const home = fileURLToPath(new URL('../../..', import.meta.url));
const loaded = loadScenario(`${home}test/conformance/scenarios/btcusdt-maker.yaml`);
const opened = await openScenarioData(loaded);
const feed = await holdTickFeed(feedSetupOf(loaded, opened));
// As of the peer, only what comes after the files that build the market is counted.
let changes = 0;
for (const { events } of feed.marketData) for (const event of events) changes += changesIn(event);
await steady(async () => {
  const open = await openTickRun({ loaded: configuredScenario(loaded, home), data: { ...opened, feed } });
  const took = await timed(() => open.drive());
  const { rows, orders, identity } = await open.finish();
  publishedRows(rows as readonly (readonly number[])[]);
  return { changes, orders: orders.length, digest: String(identity['decisions']).slice(0, 12), took };
});

function changesIn(event: Event): number {
  if (event.kind === 'trades') return event.trades.length;
  const hasLevels = event.kind === 'bookUpdate' || event.kind === 'bookSnapshot';
  return hasLevels ? (event.end - event.start) / levelStride : 0;
}
