import { killRounds } from './support/kill-rounds.ts';
import { toolOptions } from '../support/tool-options.ts';

// node test/system/kill-loop.ts --rounds 10 --seed 7: kills a trading daemon again and again; one line per round.
const values = toolOptions({
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string', default: '7' } },
});
const rounds = await killRounds({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  onRound: (round) => process.stdout.write(`${JSON.stringify(round)}\n`),
});
const trouble = rounds.reduce((sum, one) => sum + one.duplicates + one.unrecorded + one.oversized, 0);
process.stdout.write(`${rounds.length} kills, ${trouble} duplicate, unrecorded or oversized orders\n`);
process.exitCode = trouble === 0 ? 0 : 1;
