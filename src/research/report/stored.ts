import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  opendirSync,
  statSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, resolve, join } from 'node:path';
import { BadInput, NotFound } from '../../core/base/errors.ts';
import { damageOf, isMarkedReport, documentSchema } from './document/index.ts';
import { htmlPage } from './render/html-page.ts';
import type { ReportDocument } from './document/index.ts';

/**
 * Throws `BadInput` when no file can be put under this name; folders that are missing above it are made. `option` is what
 * the person named it with.
 */
export function prepareFile(option: string, path: string): void {
  const found = prepare(option, path);
  if (found !== undefined && !found.isFile())
    throw new BadInput(`${option} ${path}: expected the name of a file, found ${wordOf(found)} there`);
}

/** The same for a file that is written where it stands: a pipe or a device will do. */
export function prepareStream(option: string, path: string): void {
  const found = prepare(option, path);
  if (found?.isDirectory() === true)
    throw new BadInput(`${option} ${path}: expected the name of a file, found a folder there`);
}

/** Makes a folder and those above it, one by one: `mkdirSync` alone never ends where a system takes no folders. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process has created it meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function prepare(option: string, path: string): Stats | undefined {
  if (path === '') throw new BadInput(`${option}: expected the name of a file, found an empty text`);
  try {
    const folder = dirname(resolve(path));
    makeFolder(folder);
    // Throws where a file stands in the place of the folder.
    opendirSync(folder).closeSync();
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) accessSync(folder, constants.W_OK);
    else if (found.isFile()) accessSync(path, constants.W_OK);
    return found;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${option} ${path}: expected a file that can be written, found: ${why}`, {
      cause: error,
    });
  }
}

function wordOf(found: Stats): string {
  return found.isDirectory() ? 'a folder' : 'a device, pipe or socket';
}

/** What a stored report is called inside a run directory. */
export const reportFile = 'report.json';
export const pageFile = 'report.html';
export const tradesFile = 'trades.csv';

/** Where the reports of sessions are kept side by side, below their run directory. */
export const sessionsFolder = 'sessions';
/** The files of each. */
export const sessionEndings = ['.json', '.html', '.csv'] as const;

interface StoredReport {
  readonly json: string;
  readonly html: string;
}

/** Writes the report as JSON, as a page and its closed trades as CSV into a directory, which is made; returns two paths. */
export function storeReport(directory: string, document: ReportDocument, trades?: string): StoredReport {
  const [json, html] = [join(directory, reportFile), join(directory, pageFile)];
  return store({ json, html, csv: join(directory, tradesFile) }, document, trades);
}

/** As `storeReport`, into files that the session has for itself: `report.json` is that of the latest. */
export function storeSession(
  directory: string,
  name: string,
  document: ReportDocument,
  trades: string,
): StoredReport {
  const path = join(directory, sessionsFolder, name);
  return store({ json: `${path}.json`, html: `${path}.html`, csv: `${path}.csv` }, document, trades);
}

function store(
  { json, html, csv }: StoredReport & { readonly csv: string },
  document: ReportDocument,
  trades: string | undefined,
): StoredReport {
  replace(json, JSON.stringify(document));
  replace(html, htmlPage(document));
  if (trades !== undefined) replace(csv, trades);
  return { json, html };
}

/** Writes the page alone. Throws `BadInput` when the place or the disk does not take it; nothing half-written stays. */
export function storePage(path: string, document: ReportDocument): void {
  storeText('--html', path, htmlPage(document));
}

function storeText(option: string, path: string, text: string): void {
  prepareFile(option, path);
  try {
    replace(path, text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${option} ${path}: expected a file that can be written, found: ${why}`, {
      cause: error,
    });
  }
}

/** Writes closed trades as CSV. Throws `BadInput` when the place or the disk does not take it. */
export function storeTrades(path: string, trades: string): void {
  storeText('--trades', path, trades);
}

/**
 * Reads a report: a file that `storeReport` wrote, or a run directory with one in it. Throws `NotFound` with the path
 * when there is none, and `BadInput` when it is of another kind.
 */
export function readReport(path: string): ReportDocument {
  if (!existsSync(path))
    throw new NotFound(`${path}: expected a report or a run directory, found nothing there`);
  const file = statSync(path).isDirectory() ? join(path, reportFile) : path;
  if (!existsSync(file))
    throw new NotFound(
      `${path}: expected a ${reportFile} in the run directory, found none: a run writes it when it ends`,
    );
  // Reading a pipe may block, and a device may never end.
  if (!statSync(file).isFile())
    throw new BadInput(`${file}: expected a report as JSON, found a pipe, a socket, a device or a folder`);
  const content = parsed(file);
  if (!isMarkedReport(content))
    throw new BadInput(`${file}: expected a report marked ${documentSchema}, found other content`);
  const damage = damageOf(content);
  if (damage !== undefined)
    throw new BadInput(`${file}: expected the report as it was written, found it changed: ${damage}`);
  return content as ReportDocument;
}

function parsed(file: string): unknown {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
    return JSON.parse(text) as unknown;
  } catch {
    const found = /^\s*<!doctype html/i.test(text)
      ? `a page; the ${reportFile} beside it has what it shows`
      : 'something else';
    throw new BadInput(`${file}: expected a report as JSON, found ${found}`);
  }
}

/** A reader never sees half a file. */
function replace(path: string, text: string): void {
  makeFolder(dirname(path));
  const beside = `${path}.part`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
