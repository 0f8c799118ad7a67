import { killRounds } from './support/kill-rounds.ts';
import { troubles } from './support/observer.ts';
import { toolOptions } from '../support/tool-options.ts';

const usage = `node test/system/kill-loop.ts [options]: kills a trading daemon again and again, one line a round

  --rounds N     this many kills (10)
  --seed N       when they come (7)
  --gateway      kills a gateway under the orders of two programs
`;

const values = toolOptions(usage, {
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '7' },
    gateway: { type: 'boolean', default: false },
  },
});
const rounds = await killRounds({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  gateway: values.gateway,
  onRound: (round) => process.stdout.write(`${JSON.stringify(round)}\n`),
});
const trouble = rounds.reduce((sum, one) => sum + troubles.reduce((all, name) => all + one[name], 0), 0);
process.stdout.write(
  `${rounds.length} kills, ${trouble} orders, executions, balances and positions that differ\n`,
);
process.exitCode = trouble === 0 ? 0 : 1;
