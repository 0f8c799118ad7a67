import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { handed } from '../../../src/app/process/handed.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { Channel } from '../../../src/core/model/frame.ts';
import { Recorder } from '../../../src/data/frames/recorder.ts';
import { recorderOptions } from '../../../src/data/recording/options.ts';
import { spotSpec } from '../../../src/research/scenario/recording.ts';
import { toySymbol } from '../../support/second-venue/exchange.ts';
import { run } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-module-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = 1_700_000_000_000_000 as Micros;
const toy = (name: string): string =>
  JSON.stringify(new URL(`../../support/second-venue/${name}`, import.meta.url));
let made = 0;

/** A venue that this process has not met, and a recording of it: another test has made no other readable. */
async function newVenue(): Promise<{
  readonly module: string;
  readonly config: string;
  readonly recording: string;
}> {
  made += 1;
  const name = `venue${made}`;
  const channel = `${name}/line` as Channel;
  const place = (file: string): string => join(folder, `${name}-${file}`);
  const [module, config, recording] = [place('module.ts'), place('config.yaml'), place('recording')] as const;
  writeFileSync(
    module,
    `import { ToyDecoder, toyChannel } from ${toy('decoder.ts')};
import toy from ${toy('venue.ts')};
class Renamed extends ToyDecoder {
  accept(frame) { super.accept(frame.channel === '${channel}' ? { ...frame, channel: toyChannel } : frame); }
}
const decoder = (options) => new Renamed(options);
const capabilities = { ...toy.capabilities, clientOrderId: { pattern: /^[-a-z0-9]{8,32}$/, lengthMax: 32, text: '32' } };
export default { ...toy, capabilities, name: '${name}', frames: { venue: '${name}', channels: ['${channel}'], decoder } };
`,
  );
  writeFileSync(config, `venue:\n  module: ${module}\n`);
  const clock = new VirtualClock(start);
  const recorder = new Recorder({
    folder: recording,
    options: recorderOptions.parse({}),
    channels: [channel],
    instruments: [spotSpec({ symbol: toySymbol.name, ...toySymbol })],
    clock,
    onHalt: (error) => expect.fail(error.message),
  });
  for (let n = 1; n <= 60; n += 1) {
    clock.advance(millis(1_000));
    const at = clock.now() / 1_000;
    const book = {
      t: n === 1 ? 'full' : 'diff',
      n,
      at,
      bids: [['99.5', String(10 + n)]],
      asks: n === 1 ? [['100.5', '10']] : [],
    };
    const print = { t: 'print', id: n, price: '100.5', quantity: '1', side: 'buy', at };
    for (const line of [book, print])
      recorder.accept({
        channel,
        direction: 'in',
        receiveTime: clock.now(),
        bytes: Buffer.from(JSON.stringify(line)),
      });
  }
  await recorder.close();
  return { module, config, recording };
}

const maker = '--strategy market-maker --param symbol=AB-C --param quantity=1 --param positionMax=5';
const ways = ['environment', 'file', 'set'] as const;

/** Command lines, with the recording at R, a word of what each prints when it has read that, and in how many ways that is reported. */
const lines: readonly (readonly [line: string, said: string, ways: number])[] = [
  ['data inspect R', 'bookUpdate       59', 3],
  ['data verify R', '120 events', 3],
  ['data books R', '99.5', 3],
  ['data export R --out OUT', 'OUT', 3],
  [`backtest R ${maker} --no-save --no-band`, 'AB-C', 3],
  [`check determinism R ${maker} --threads 1`, 'holds: 3 runs alike', 1],
  [`sweep R ${maker} --space spreadFactor=0.2,0.4 --store OUT --ledger OUT2 --workers 1`, 'spreadFactor', 2],
];

/** Does something while the environment names a venue. */
async function within<Answer>(module: string, act: () => Promise<Answer>): Promise<Answer> {
  const environment = handed.environment as Record<string, string | undefined>;
  environment['GODWIT__venue__module'] = module;
  try {
    return await act();
  } finally {
    Reflect.deleteProperty(environment, 'GODWIT__venue__module');
  }
}

describe('the recording of a venue from a file of its own', () => {
  test.each(lines)('is read by %s, where the configuration names the venue', async (line, said, count) => {
    for (const way of ways.slice(0, count)) {
      const { module, config, recording } = await newVenue();
      const out = join(folder, `out-${made}`);
      const words = { R: recording, OUT: out, OUT2: `${out}-2` } as Readonly<Record<string, string>>;
      const args = line.split(' ').map((word) => words[word] ?? word);
      const unread = await run(args);
      expect(`${unread.out}${unread.err}`).toContain('with that file in GODWIT_VENUES');
      const named = { file: ['--config', config], set: ['--set', `venue.module=${module}`], environment: [] };
      const act = () => run([...args, ...named[way]]);
      const read = await (way === 'environment' ? within(module, act) : act());
      expect(`${read.code} ${read.err}`, way).toMatch(/^0 /);
      expect(read.out).toContain(words[said] ?? said);
    }
  });

  test('is read by a scenario on it, where the environment names the venue', async () => {
    const { module, recording } = await newVenue();
    const file = join(folder, 'scenario.yaml');
    const strategy = { path: 'market-maker', params: { symbol: 'AB-C', quantity: '1', positionMax: '5' } };
    writeFileSync(
      file,
      JSON.stringify({
        name: 'toy',
        data: [recording],
        instrument: { symbol: 'AB-C' },
        latency: { entry: '15ms', report: '15ms' },
        fills: { model: 'shadow', queue: 'conservative' },
        balances: { AB: '100', C: '10000' },
        strategy,
      }),
    );
    const args = ['backtest', '--scenario', file, '--no-save', '--no-band'];
    expect((await run(args)).err).toContain('GODWIT_VENUES');
    const said = await within(module, () => run(args));
    expect(`${said.code} ${said.err}`).toMatch(/^0 /);
    expect(said.out).toContain('AB-C');
  });

  test('is not read by a command whose configuration is wrong, which is reported', async () => {
    const { recording } = await newVenue();
    const { code, err } = await run(['data', 'inspect', recording, '--set', 'venue.modul=x.ts']);
    expect(code).toBe(78);
    expect(err).toContain('venue.modul');
    const none = await run(['data', 'inspect', recording, '--set', 'venue.module=./none.ts']);
    expect(none.code).toBe(78);
    expect(none.err).toContain('venue.module: there is no file');
  });
});
