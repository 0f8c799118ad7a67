import { toolOptions } from '../support/tool-options.ts';
import { figuresOf } from './figures.ts';
import { soak } from './soak.ts';

const usage = `npm run soak -- [options]: trades on an exchange of its own, kills the daemon in the middle, prints figures

  --minutes N    how long (30)
  --every N      seconds between two looks (10)
  --seed N       of the market (7)
  --samples      one line of JSON a look
`;

const values = toolOptions(usage, {
  options: {
    minutes: { type: 'string', default: '30' },
    every: { type: 'string', default: '10' },
    seed: { type: 'string', default: '7' },
    samples: { type: 'boolean', default: false },
  },
});
const { samples, ...ends } = await soak({
  minutes: Number(values.minutes),
  everySeconds: Number(values.every),
  seed: Number(values.seed),
  onSample: (sample) => {
    if (values.samples) process.stdout.write(`${JSON.stringify(sample)}\n`);
  },
});
for (const [name, value] of Object.entries({ ...figuresOf(samples), ...ends }))
  process.stdout.write(`${name.padEnd(22)}${value}\n`);
process.exitCode = ends.lost + ends.left === 0 && ends.exitCode === 143 ? 0 : 1;
