import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunFile } from './run-file.ts';

const fileName = 'dashboard.html';

/** Programs that open a file as the desktop does, by platform; elsewhere `xdg-open`. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Address of the dashboard. It holds the token, in the part that a browser sends to nobody. */
export function dashboardAddress({ url, token }: Pick<RunFile, 'url' | 'token'>): string {
  return `${url}/#token=${encodeURIComponent(token)}`;
}

/**
 * Opens the page in the browser of the desktop. Its address holds a token, and others of the machine see the arguments of a program: the
 * browser is given a file of the run directory that only its owner can read, and that leads there. `say` takes a sentence where there is
 * no browser.
 */
export function openPage(address: string, directory: string, say: (line: string) => void): void {
  mkdirSync(directory, { recursive: true });
  const path = resolve(directory, fileName);
  closePage(directory);
  const page = `<!doctype html><title>Godwit</title><meta http-equiv="refresh" content="0; url=${address}">\n`;
  writeFileSync(path, page, { mode: 0o600 });
  const [program, ...first] = openers[process.platform] ?? ['xdg-open'];
  const fails = (): void =>
    say(`No browser could be opened (${program}): godwit dashboard prints the address.`);
  const child = spawn(program, [...first, path], { stdio: 'ignore', detached: true });
  child.once('error', fails);
  child.once('exit', (code) => {
    if (code !== 0) fails();
  });
  child.unref();
}

/** Removes the file that leads to the page. */
export function closePage(directory: string): void {
  rmSync(join(directory, fileName), { force: true });
}
