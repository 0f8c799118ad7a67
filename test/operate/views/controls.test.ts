import { afterEach, expect, test } from 'vitest';
import { listCommand } from '../../../src/app/operate/commands.ts';
import type { Output } from '../../../src/app/process/output.ts';
import { controlsView } from '../../../src/operate/views/controls.ts';
import { denialCodes } from '../../../src/core/model/denial.ts';
import type { Operated } from '../support.ts';
import { operated, tokens } from '../support.ts';

let run: Operated | undefined;
afterEach(async () => {
  await run?.server.close();
  run = undefined;
});

/** What `godwit controls` prints for a run, as lines without the empty ones. */
async function printed({ server }: Operated, json: boolean, all?: boolean): Promise<readonly string[]> {
  const lines: string[] = [];
  const output: Output = {
    data: (line) => lines.push(...line.split('\n')),
    progress: () => {},
    colour: false,
  };
  const target = { url: server.url, token: tokens.operate, directory: '' };
  expect(await listCommand({ target, output, json }, controlsView, all)).toBe(0);
  return lines.filter((line) => line !== '');
}

test('controls are listed by what they refused, all of them when asked for, and all as JSON', async () => {
  run = await operated();
  expect(await printed(run, false)).toEqual(['nothing was refused']);
  run.rig.trader.act({ act: 'pause', strategy: undefined }, 'ann', 'lunch');
  run.rig.wait(2_000);
  run.rig.trade(100);
  const refused = await printed(run, false);
  expect(refused).toHaveLength(2);
  expect(refused[1]).toMatch(/^PAUSED +1 /);
  expect(await printed(run, false, true)).toHaveLength(denialCodes.length + 1);
  expect(JSON.parse((await printed(run, true)).join(''))).toHaveLength(denialCodes.length);
});
