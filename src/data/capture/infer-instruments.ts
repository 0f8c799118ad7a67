import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import type { Frame } from '../../core/model/frame.ts';
import { refusedNamesText } from '../../core/model/symbol-table.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { TooManySymbols } from '../../core/model/symbols-max.ts';
import type { CapturedVenue } from './text.ts';
import { CaptureReader, captureFormatOf, readCapture } from './text.ts';
import type { FileEnds, FrameSurvey } from '../../core/model/frame-format.ts';
import type { RecordingOptions } from '../recording/index.ts';
import { readLines } from '../recording/index.ts';

/** Where specs come from: the venue's own symbol list, or (some of them) the decimals seen in the recording. */
export interface FoundSpecs {
  readonly specs: readonly InstrumentSpec[];
  readonly source: 'symbols' | 'inferred';
  /** One sentence per thing a reader of results should know. */
  readonly notes: readonly string[];
  /** How each file begins and ends. */
  readonly files: readonly FileEnds[];
}

/**
 * The specs of every symbol that sends market frames in the captures: from the symbol lists in them and from the `.symbols`
 * files beside them when there are any, otherwise inferred. Specs keep the order of the symbol list, inferred ones that of
 * first appearance. Of two lists in the captures the first counts, which the recording began with.
 *
 * Prices are printed with the decimals of the tick size and sizes with those of the increment (v2-gaps, section 5.2),
 * so the most decimals seen give both. Fee rates cannot be seen: the service's usual 0.25 % and 0.1 % stand in.
 * Throws `BadInput` when a capture is unreadable (with `partial` only where nothing came before), when a symbol that appears
 * is not in the list beside it, or when neither a list nor its name nor `quote` tells its currencies.
 */
export async function findCaptureSpecs(
  paths: readonly string[],
  { partial: isPartial = false, quote }: Pick<RecordingOptions, 'partial' | 'quote'> = {},
): Promise<FoundSpecs> {
  const { survey, lists } = await surveyCaptures(paths, isPartial);
  const beside = new Set(paths.flatMap((path) => siblingSymbols(path) ?? []));
  const names = paths.map((path) => basename(path)).join(', ');
  for (const list of beside) lists.add(await readSymbols(list, (codes) => lists.refuse(codes, list)), list);
  const { listed, notes } = lists;
  const { files } = survey;
  const seen = survey.symbols();
  if (seen.length === 0 && lists.listed.size > 0)
    throw new BadInput(
      `${names}: expected messages of a socket, found a list of ${lists.listed.size} symbols alone; give the capture it was recorded with`,
    );
  const missing = seen.filter((symbol) => !listed.has(symbol));
  if (missing.length > 0 && beside.size > 0) {
    throw new BadInput(
      `${[...beside].join(', ')}: expected the symbol ${missing[0]}, which appears in ${names}, found ${listed.size} others`,
    );
  }
  const wanted = new Set(seen);
  const specs = [...listed.values()].filter((spec) => wanted.has(spec.symbol));
  if (missing.length === 0 && listed.size > 0) return { specs, source: 'symbols', notes, files };
  const what =
    listed.size === 0
      ? 'no symbol list in it or beside it'
      : `the symbol list in it lacks ${missing.slice(0, 5).join(', ')}`;
  return {
    specs: [...specs, ...survey.inferSpecs(missing, quote)],
    source: 'inferred',
    files,
    notes: [
      ...notes,
      `${names}: ${what}; tick sizes and increments are inferred from the decimals seen, fee rates are assumed`,
    ],
  };
}

/** How each of several captures begins and ends, for those whose specs are given. */
export async function endsOfCaptures(
  paths: readonly string[],
  isPartial: boolean,
): Promise<readonly FileEnds[]> {
  return (await surveyCaptures(paths, isPartial)).survey.files;
}

async function surveyCaptures(
  paths: readonly string[],
  isPartial: boolean,
): Promise<{ readonly survey: FrameSurvey; readonly lists: SymbolLists }> {
  const format = await captureFormatOf(paths[0] as string);
  const survey = format.captures.survey();
  const lists = new SymbolLists(format);
  for (const path of paths) {
    try {
      survey.startFile();
      await surveyCapture(new CaptureReader(path, format), { path, survey, lists });
    } catch (error) {
      // The second look meets the damage again.
      if (!isPartial || survey.symbols().length === 0 || !(error instanceof BadInput)) throw error;
      if (error instanceof TooManySymbols) throw error;
    }
  }
  return { survey, lists };
}

/** The symbol lists of a recording, the first counts. */
class SymbolLists {
  readonly listed = new Map<string, InstrumentSpec>();
  readonly notes: string[] = [];
  readonly #format: CapturedVenue;
  readonly #refused = new Set<string>();

  constructor(format: CapturedVenue) {
    this.#format = format;
  }

  /** Takes a reply in a capture, if it can be read: the market frames do not depend on it. */
  see(reply: Frame, path: string): void {
    try {
      this.add(
        this.#format.captures.specsOf(reply, path, (codes) => this.refuse(codes, path)),
        path,
      );
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.notes.push(`a symbol list in it cannot be read and is left out: ${error.message.slice(0, 300)}`);
    }
  }

  /** Symbols of a list are passed over for their names; each is told once. */
  refuse(codes: readonly string[], path: string): void {
    const untold = codes.filter((code) => !this.#refused.has(code));
    for (const code of untold) this.#refused.add(code);
    if (untold.length > 0) this.notes.push(`${path}: ${refusedNamesText(untold)}`);
  }

  add(specs: readonly InstrumentSpec[], path: string): void {
    const changed = specs.filter((spec) => {
      const known = this.listed.get(spec.symbol);
      if (known === undefined) this.listed.set(spec.symbol, spec);
      return known !== undefined && JSON.stringify(known) !== JSON.stringify(spec);
    });
    if (changed.length > 0)
      this.notes.push(
        `${path}: a later symbol list describes ${changed[0]?.symbol} differently; the first list counts`,
      );
  }
}

/** The specs of a symbol list: a capture file with the REST reply of `/api/2/public/symbol` or `/api/3/public/symbol`. */
export async function readSymbols(
  path: string,
  refused?: (codes: readonly string[]) => void,
): Promise<readonly InstrumentSpec[]> {
  const { captures } = await captureFormatOf(path);
  for await (const frames of readCapture(path)) {
    const reply = frames.find(({ direction, channel }) => direction === 'in' && captures.isReply(channel));
    if (reply !== undefined) return captures.specsOf(reply, path, refused);
  }
  throw new BadInput(`${path}: expected the reply of /public/symbol, found none`);
}

/** `a.conn1.txt.gz` has its list in `a.symbols.txt.gz`, or unpacked. */
function siblingSymbols(path: string): string | undefined {
  const name = basename(path)
    .replace(/\.gz$/, '')
    .replace(/\.txt$/, '');
  const stems = new Set([name, name.replace(/\.[^.]*$/, '')]);
  for (const stem of stems) {
    for (const end of ['.symbols.txt.gz', '.symbols.txt']) {
      const candidate = join(dirname(path), stem + end);
      if (candidate !== path && existsSync(candidate)) return candidate;
    }
  }
  return undefined;
}

async function surveyCapture(
  reader: CaptureReader,
  {
    path,
    survey,
    lists,
  }: { readonly path: string; readonly survey: FrameSurvey; readonly lists: SymbolLists },
): Promise<void> {
  for await (const { number, lines } of readLines(path)) {
    for (const [index, line] of lines.entries()) {
      if (line.length === 0) continue;
      const read = reader.read(line, number + index);
      if (read.kind === 'configuration') survey.seeConfiguration(read.text);
      else if (read.isSymbolList) lists.see(read.frame, path);
      else survey.see(read.frame);
    }
  }
}
