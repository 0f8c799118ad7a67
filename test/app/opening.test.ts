import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import { loadScenario } from '../../src/research/scenario/load.ts';
import { configuredScenario } from '../../src/app/run/scenario-config.ts';

const home = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'opening-'));

const looker = `import { defineStrategy, z } from 'godwit/strategy';
export default defineStrategy({
  name: 'looker',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'BTCUSDT', book: true, trades: true }, { symbol: 'ETHBTC', book: true, trades: true }],
  create: ({ market, log }) => ({
    onStart() {
      for (const symbol of ['BTCUSDT', 'ETHBTC'])
        log.warn(symbol + ' ' + market.book(symbol).status + ' ' + market.trades(symbol).length);
    },
  }),
});
`;

describe('a strategy that starts in the middle of a recording', () => {
  test.each(['', 'latency: { feed: 5ms }', 'fills: { model: queue }'])(
    'has the book and the last trade of each symbol when it starts (%s)',
    async (more) => {
      writeFileSync(join(folder, 'looker.ts'), looker);
      const file = join(folder, 'one.yaml');
      writeFileSync(
        file,
        `name: one
data: [${join(home, 'backtest/feeds/sample')}]
clock: { start: "2026-11-21T01:00:40Z", end: "2026-11-21T01:00:41Z" }
strategy: { path: looker.ts }
${more}
`,
      );
      const received: string[] = [];
      await runScenario({
        loaded: configuredScenario(loadScenario(file), home),
        watch: (event) => void (event.kind === 'strategyNoted' && received.push(event.text)),
      });
      expect(received).toEqual(['BTCUSDT live 1', 'ETHBTC live 1']);
    },
  );
});
