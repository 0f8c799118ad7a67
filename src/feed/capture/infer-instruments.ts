import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BadInput } from '../../base/errors.ts';
import type { Frame } from '../../model/frame.ts';
import type { InstrumentSpec } from '../../model/instrument.ts';
import { CaptureReader, readCapture } from './capture-text.ts';
import { FrameSurvey } from '../frames/frame-survey.ts';
import { readLines } from '../lines.ts';
import { specsOfReply } from './symbol-reply.ts';

/** Where specs come from: the venue's own symbol list, or the decimals seen in the recording. */
export interface FoundSpecs {
  readonly specs: readonly InstrumentSpec[];
  readonly source: 'symbols' | 'inferred';
  /** One sentence per thing a reader of results should know. */
  readonly notes: readonly string[];
}

/**
 * The specs of every symbol that sends market frames in the captures: from the `.symbols` files beside them when there
 * are any, otherwise inferred. Specs keep the order of the symbol list, inferred ones that of first appearance.
 *
 * Prices are printed with the decimals of the tick size and sizes with those of the increment (v2-gaps, section 5.2),
 * so the most decimals seen tell both. Fee rates cannot be seen: the service's usual 0.25 % and 0.1 % stand in.
 * Throws `BadInput` when a capture is unreadable (with `isPartial` only where nothing came before) or a symbol that appears
 * is not in the list.
 */
export async function findCaptureSpecs(paths: readonly string[], isPartial = false): Promise<FoundSpecs> {
  const survey = new FrameSurvey();
  for (const path of paths) {
    try {
      await surveyCapture(path, survey);
    } catch (error) {
      // The second look meets the damage again.
      if (!isPartial || survey.symbols().length === 0 || !(error instanceof BadInput)) throw error;
    }
  }
  const lists = new Set(paths.flatMap((path) => siblingSymbols(path) ?? []));
  const names = paths.map((path) => basename(path)).join(', ');
  if (lists.size === 0) {
    return {
      specs: survey.inferSpecs(),
      source: 'inferred',
      notes: [
        `${names}: no symbol list beside it; tick sizes and increments are inferred from the decimals seen, fee rates are assumed`,
      ],
    };
  }
  const listed = new Map<string, InstrumentSpec>();
  for (const list of lists) for (const spec of await readSymbols(list)) listed.set(spec.symbol, spec);
  const seen = survey.symbols();
  const missing = seen.find((symbol) => !listed.has(symbol));
  if (missing !== undefined) {
    throw new BadInput(
      `${[...lists].join(', ')}: expected the symbol ${missing}, which appears in ${names}, found ${listed.size} others`,
    );
  }
  const wanted = new Set(seen);
  return {
    specs: [...listed.values()].filter((spec) => wanted.has(spec.symbol)),
    source: 'symbols',
    notes: [],
  };
}

/** The specs of a symbol list: a capture file with the REST reply of `/api/2/public/symbol` or `/api/3/public/symbol`. */
export async function readSymbols(path: string): Promise<readonly InstrumentSpec[]> {
  for await (const frames of readCapture(path)) {
    const reply = frames.find(isSymbolReply);
    if (reply !== undefined) return specsOfReply(reply, path);
  }
  throw new BadInput(`${path}: expected the reply of /public/symbol, found none`);
}

function isSymbolReply(frame: Frame): boolean {
  return frame.direction === 'in' && (frame.channel === 'v2/rest' || frame.channel === 'v3/rest');
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

async function surveyCapture(path: string, survey: FrameSurvey): Promise<void> {
  const reader = new CaptureReader(path);
  for await (const { number, lines } of readLines(path)) {
    for (const [index, line] of lines.entries()) {
      if (line.length === 0) continue;
      const read = reader.read(line, number + index);
      if (read.kind === 'configuration') survey.seeConfiguration(read.text);
      else survey.see(read.frame);
    }
  }
}
