import { microsPerMilli, microsPerSecond } from '../../core/base/clock.ts';
import { BadInput, GodwitError, NotFound } from '../../core/base/errors.ts';
import type { RunPlace } from '../../core/journal/index.ts';
import { copyJournal, lastRunIn } from '../../core/journal/index.ts';
import { strategyParts } from '../../core/strategy/framework.ts';
import { prepareFile } from '../../research/report/index.ts';
import type { Config } from '../config/schema.ts';
import { resolveSecret } from '../config/secrets.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { logPath } from '../process/log-file.ts';
import type { Output } from '../process/output.ts';
import { packageVersion } from '../process/package.ts';
import type { ArchiveEntry } from './archive.ts';
import { writeArchive } from './archive.ts';
import { journalDirectory, microText } from './order-trace.ts';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

export interface IncidentCommand {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly journal: string | undefined;
  readonly recording: string | undefined;
  readonly logs: readonly string[];
  readonly out: string | undefined;
  readonly output: Output;
  readonly json: boolean;
}

/** `godwit incident export`: the last run of a journal, in one archive. Throws `NotFound` and `BadInput`. */
export async function incidentCommand(command: IncidentCommand): Promise<number> {
  const { config, output } = command;
  const directory = command.journal ?? journalDirectory(config.run.directory);
  const place = lastRunIn(directory);
  if (place === undefined) throw new NotFound(`the journal of ${directory} holds no run`);
  const { run } = place.started;
  const out = command.out ?? `incident-${run}.zip`;
  prepareFile('--out', out);
  const scratch = mkdtempSync(join(tmpdir(), 'godwit-incident-'));
  try {
    await copyJournal(directory, scratch);
    const notes: string[] = [];
    const entries: ArchiveEntry[] = [
      ...filesOf(scratch).map((path) => fileEntry('journal', path)),
      ...recordedFiles(command, directory, place, notes).map((path) => fileEntry('recording', path)),
      ...strategyEntries(config, notes),
      ...logEntries(command, directory, place, notes),
      { name: 'config.json', content: withoutSecrets(JSON.stringify(config, undefined, 2), command) },
    ];
    const about = {
      run,
      mode: place.started.mode,
      startedAt: microText(place.started.receiveTime),
      godwit: packageVersion(),
      node: process.versions.node,
      files: entries.map(({ name }) => name),
      notes,
    };
    const bytes = writeArchive(out, [{ name: 'incident.json', content: JSON.stringify(about) }, ...entries]);
    if (command.json) output.data(JSON.stringify({ out, bytes, ...about }));
    else output.data(`${out}: run ${run}, ${entries.length + 1} files, ${bytes} bytes; godwit replay ${out}`);
    if (!command.json) for (const note of notes) output.progress(`note: ${note}`);
    return exitCodes.done;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function fileEntry(folder: string, path: string): ArchiveEntry {
  return { name: `${folder}/${basename(path)}`, content: { path } };
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name));
}

/**
 * The frame logs that hold the run: those that were begun with it or later, and the last one before it, if it was still written then.
 * A recording is begun before its run, by as much as the start waits for the venue. Names begin with the time of their begin.
 */
function recordedFiles(
  { config, recording }: IncidentCommand,
  directory: string,
  { started }: RunPlace,
  notes: string[],
): readonly string[] {
  if (recording !== undefined && !existsSync(recording))
    throw new BadInput(`--recording ${recording}: expected a recording, found nothing`);
  const places =
    recording === undefined ? [join(directory, 'recording'), config.record.directory] : [recording];
  const there = places.filter((one) => existsSync(one));
  for (const path of there) {
    if (!statSync(path).isDirectory()) return [path];
    const all = filesOf(path).filter((one) => one.endsWith('.frames'));
    const files = all.filter((_, at) => isOfRun(all, at, started.receiveTime));
    if (files.length > 0) return files;
  }
  const where = there.length === 0 ? '' : `; what is in ${there.join(' and ')} ended before it`;
  notes.push(`there is no recording of the run (trade --record)${where}, so godwit replay cannot run it`);
  return [];
}

/** Whether a frame log, one of those that are sorted by their time, holds something of a run that started then. */
function isOfRun(all: readonly string[], at: number, startedAt: number): boolean {
  const from = microText(startedAt).replaceAll(/[-:]/g, '').slice(0, 15);
  const next = all[at + 1];
  if (next !== undefined && basename(next) < from) return false;
  const path = all[at] ?? '';
  // Names are of whole seconds.
  return basename(path) >= from || statSync(path).mtimeMs * microsPerMilli >= startedAt - microsPerSecond;
}

/** The files of each strategy, and of a shadow with other code, below a folder of its own, as far apart as they are on this machine. */
function strategyEntries({ strategies }: Config, notes: string[]): readonly ArchiveEntry[] {
  const all = strategies.flatMap(({ name, path, shadow }) => [
    { name, path },
    ...(shadow?.path === undefined ? [] : [{ name: shadowFolder(name), path: shadow.path }]),
  ]);
  return all.flatMap(({ name, path }) => {
    try {
      return strategyParts(path).map((part) => {
        const isOutside = part.name.startsWith('../') || /^[A-Za-z]:|^\//.test(part.name);
        if (isOutside) throw new BadInput(`it imports ${part.name}, which is outside its folder`);
        return {
          name: `strategies/${name}/${part.name === '' ? basename(part.path) : part.name}`,
          content: { path: resolve(part.path) },
        };
      });
    } catch (error) {
      if (!(error instanceof GodwitError)) throw error;
      notes.push(`strategy ${name} is not in the archive: ${error.message}`);
      return [];
    }
  });
}

/** No strategy has such a name. */
export function shadowFolder(strategy: string): string {
  return `${strategy}.shadow`;
}

/** The logs that are named, and those that the run left in its directory. */
function logEntries(
  command: IncidentCommand,
  directory: string,
  place: RunPlace,
  notes: string[],
): readonly ArchiveEntry[] {
  const named = new Set(command.logs.map((path) => resolve(path)));
  const own = ownLogs(directory, place).filter((path) => !named.has(resolve(path)));
  if (own.length === 0 && named.size === 0)
    notes.push(`there is no log of the run in ${directory} (log.file); --log names one`);
  return [...command.logs, ...own].map((path, at) => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      throw new BadInput(
        at < command.logs.length
          ? `--log ${path}: expected a file that can be read`
          : `${path}: expected a log that can be read`,
      );
    }
    return { name: `logs/${at + 1}-${basename(path)}`, content: withoutSecrets(text, command) };
  });
}

/** What was written since the run began, the newest first. */
function ownLogs(directory: string, { started }: RunPlace): readonly string[] {
  const found: string[] = [];
  for (let number = 0; existsSync(logPath(directory, number)); number++) {
    const path = logPath(directory, number);
    if (statSync(path).mtimeMs * microsPerMilli >= started.receiveTime) found.push(path);
  }
  return found;
}

/** A text in which the secrets of the configuration, and logins in addresses, are replaced. */
function withoutSecrets(text: string, { config, environment }: IncidentCommand): string {
  const { api_key: apiKey, secret_key: secretKey } = config.venue;
  const { operate, read } = config.operate.tokens;
  const { webhook, telegram } = config.operate.notify;
  let clean = text.replaceAll(/(\w:\/\/)[^/\s"@]+@/g, '$1[secret]@');
  for (const reference of [apiKey, secretKey, operate, read, webhook?.url, telegram?.token]) {
    const value = reference === undefined ? undefined : valueOf(reference, environment);
    if (value !== undefined) clean = clean.replaceAll(value, '[secret]');
  }
  return clean;
}

/** What cannot be read here cannot have been written by this configuration. */
function valueOf(reference: string, environment: IncidentCommand['environment']): string | undefined {
  try {
    return resolveSecret(reference, 'secret', environment).reveal();
  } catch {
    return undefined;
  }
}
