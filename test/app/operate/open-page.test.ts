import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, openPage } from '../../../src/app/operate/open-page.ts';
import { until } from '../../system/support/until.ts';

const address = 'http://127.0.0.1:4711/#token=secret';
let folder: string;
const path = process.env['PATH'];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-page-'));
});
afterEach(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true });
});

/** A program of the desktop that notes what it is asked to open. */
function desktop(exitCode: number): string {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const noted = join(folder, 'opened');
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(
      join(programs, name),
      `#!/bin/sh\necho "$1" > ${noted}.part\nmv ${noted}.part ${noted}\nexit ${exitCode}\n`,
    );
    chmodSync(join(programs, name), 0o700);
  }
  process.env['PATH'] = `${programs}:${path}`;
  return noted;
}

test.skipIf(process.platform === 'win32')(
  'the browser is given a file of the owner that leads to the page, and no token',
  async () => {
    const noted = desktop(0);
    const lines: string[] = [];
    openPage(address, folder, (line) => lines.push(line));
    await until('the browser', () => existsSync(noted));
    const file = readFileSync(noted, 'utf8').trim();
    expect(file).toBe(join(folder, 'dashboard.html'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(`url=${address}"`);
    expect(lines).toEqual([]);
    closePage(folder);
    expect(existsSync(file)).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')(
  'without a browser a sentence says where the address is',
  async () => {
    desktop(3);
    const lines: string[] = [];
    openPage(address, folder, (line) => lines.push(line));
    await until('the sentence', () => lines.length > 0);
    expect(lines[0]).toMatch(
      /^No browser could be opened \((xdg-)?open\): godwit dashboard prints the address\.$/,
    );
  },
);
