import type { Clock } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { strategyLimits } from '../../../src/core/orders/base/options.ts';
import { orderOptions } from '../../../src/core/orders/options.ts';
import { operateOptions } from '../../../src/operate/options.ts';
import type { OperatedRun } from '../../../src/operate/run.ts';
import { OperateServer } from '../../../src/operate/server.ts';

/** The token of every bench. */
export const benchToken = 'token-of-the-bench';

/** The operator's interface on a trader of a bench, as the daemon has it; it acts on nothing. */
export function operate(
  trader: OperatedRun['trader'],
  clock: Clock,
  given: Pick<OperatedRun, 'budgets'> & {
    readonly strategy: string;
    readonly shown: readonly InstrumentId[];
  },
): Promise<OperateServer> {
  const refuse = (): never => {
    throw new Error('a bench is only looked at');
  };
  return OperateServer.start({
    options: operateOptions.parse({}),
    tokens: { operate: benchToken },
    clock,
    log: silentLogger,
    kept: {
      open: () => ({ earlier: [], add: () => {}, renew: () => {} }),
      openRows: () => ({ earlier: new Float64Array(), add: () => {} }),
    },
    run: {
      trader,
      clock,
      run: 'bench',
      mode: 'sim',
      account: undefined,
      venue: 'bench',
      versions: { godwit: '0.0.0', node: process.versions.node, configuration: '00' },
      strategies: [{ name: given.strategy, limits: strategyLimits.parse({}) }],
      orders: () => orderOptions.parse({}),
      shown: () => given.shown,
      budgets: given.budgets,
      journal: () => ({ waiting: 0, synced: undefined }),
      explain: refuse,
      act: refuse,
      strategyActs: {
        params: () => ({}),
        code: () => ({ path: 'bench', schema: {} }),
        start: refuse,
        stop: refuse,
        setParams: refuse,
        promote: refuse,
      },
      reload: refuse,
      stop: refuse,
    },
  });
}
