import { resolve } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import type { Recording } from '../recording/index.ts';
import type { FormatDescription, RecordingFormat } from './own-formats.ts';
import { ownFormatOf, ownFormats, openRecording } from './own-formats.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import type { Format, OpenOptions, SeriesFormat } from '../formats/index.ts';
import { refuseBarOptions, refuseRounding, refuseSkipping, readHead } from '../formats/index.ts';
import { feather } from '../formats/feather/index.ts';
import { parquet } from '../formats/parquet/index.ts';
import { barsCsv, tradesCsv } from '../formats/tables/index.ts';
import { filesBehind, missingNotes, readDownloadList, withNotes } from './download-list.ts';
import { formats } from './formats.ts';
import { madeBars } from './made-bars.ts';
import type { FileLayout } from './layout.ts';
import { layouts } from './layouts.ts';
import { seenIn } from './nearest-formats.ts';
import { nearest } from '../../core/base/nearest.ts';

/**
 * Opens market data of any known format, chosen by content or by `options.format`: our own formats, or those of other
 * people. A text capture is ours unless a format of another venue claims its addresses. Several paths of one format are
 * one recording. A folder of downloaded data stands for the files of its list.
 *
 * Throws `BadInput` with path, finding and the known formats when a file cannot be read or is of none of them.
 */
export async function openData(
  paths: string | readonly string[],
  options: OpenOptions = {},
): Promise<Recording> {
  const named = typeof paths === 'string' ? [paths] : paths;
  const files = named.flatMap(filesBehind);
  const recording = withNotes(await openAny(files, await withSymbolOf(named, options)), missingNotes(named));
  for (const { spec } of recording.instruments.all) checkPair(spec, recording.paths);
  return options.bars === undefined ? recording : madeBars(recording, options.bars);
}

/** Options with the symbol that a folder of downloaded data is of, where its files do not name it whole. */
async function withSymbolOf(paths: readonly string[], options: OpenOptions): Promise<OpenOptions> {
  const [path = ''] = paths;
  const symbol = paths.length === 1 ? readDownloadList(path)?.symbol : undefined;
  if (symbol === undefined || options.symbol !== undefined || options.format !== undefined) return options;
  return (await ownFormatOf(path)) === undefined ? { ...options, symbol } : options;
}

/** A symbol that is its own money is bought with itself: every figure of it would be false. */
function checkPair({ symbol, baseCurrency, quoteCurrency }: InstrumentSpec, paths: readonly string[]): void {
  if (baseCurrency !== quoteCurrency) return;
  throw new BadInput(
    `${paths.join(', ').slice(0, 300)}: expected two currencies of ${symbol}, found ${quoteCurrency} for both; name them in a scenario with instrument: { base: CURRENCY, quote: CURRENCY }, or import the original again with --quote CURRENCY`,
  );
}

async function openAny(list: readonly string[], options: OpenOptions): Promise<Recording> {
  const [first] = list;
  if (first === undefined) throw new BadInput('expected the path of recorded data, found none');
  const again = list.find((path, index) =>
    list.some((one, at) => at < index && resolve(one) === resolve(path)),
  );
  if (again !== undefined) throw new BadInput(`${again}: expected each file once, found it twice`);
  const named = options.format;
  if (named !== undefined) return await openNamed(named, list, options);
  const own = await ownFormatOf(first);
  const format =
    options.columns === undefined || own !== undefined
      ? await foreignFormatOf(first, own)
      : await mappedFormatOf(first, options.columns);
  if (format === undefined) {
    if (own !== undefined) return await openOwn(own, list, options);
    const head = await readHead(first);
    if (head.bytes.length === 0)
      throw new BadInput(`${first}: expected recorded data, found a packed file of nothing`);
    throw new BadInput(
      `${first}: expected one of the formats that godwit data list names, found ${seenIn(head)}`,
    );
  }
  // A map of columns says what a table is; without a header the content does not.
  if (options.columns === undefined) for (const path of list.slice(1)) await checkSame(path, first, format);
  return await openForeign(format, list, options);
}

/** A series of a venue, by the name of its format. */
export interface NamedSeries {
  readonly name: string;
  readonly series: SeriesFormat;
  readonly files: readonly string[];
}

/**
 * The series that files hold, chosen as `openData` chooses; `undefined` where the first is none. Throws `BadInput` when a file cannot
 * be read, or another is of another format.
 */
export async function seriesIn(
  paths: readonly string[],
  options: OpenOptions,
): Promise<NamedSeries | undefined> {
  const files = paths.flatMap(filesBehind);
  const [first = ''] = files;
  const own = options.format === undefined ? await ownFormatOf(first) : undefined;
  const format =
    options.format === undefined
      ? await foreignFormatOf(first, own)
      : formats.find(({ name }) => name === options.format);
  if (format?.series === undefined) return undefined;
  for (const path of files.slice(1)) await checkSame(path, first, format);
  return { name: format.name, series: format.series, files };
}

/** A format in `data list`, with the layouts that it reads. */
export interface ListedFormat extends FormatDescription {
  readonly layouts: readonly Omit<FileLayout, 'format'>[];
}

/** All formats that can be read, our own first. */
export function describeFormats(): readonly ListedFormat[] {
  return [...ownFormats, ...formats].map(({ name, looksLike, carries }) => ({
    name,
    looksLike,
    carries,
    layouts: layouts.flatMap(({ format, ...layout }) => (format === name ? [layout] : [])),
  }));
}

/** The names of all formats `openData` knows, our own first. */
export function knownFormatNames(): readonly string[] {
  return describeFormats().map(({ name }) => name);
}

/** The name of the format of a file, or `undefined` when it is of none. Throws `BadInput` when it cannot be read. */
export async function formatNameOf(path: string): Promise<string | undefined> {
  const [file = path] = filesBehind(path);
  const own = await ownFormatOf(file);
  return (await foreignFormatOf(file, own))?.name ?? own;
}

async function openNamed(name: string, paths: readonly string[], options: OpenOptions): Promise<Recording> {
  const own = ownFormats.find((one) => one.name === name);
  if (own !== undefined) return await openOwn(own.name, paths, options);
  const format = formats.find((one) => one.name === name);
  if (format === undefined) {
    const near = nearest(name, knownFormatNames());
    throw new BadInput(
      `expected one of the formats that godwit data list names, found ${name}${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
  }
  return await openForeign(format, paths, options);
}

async function openForeign(
  format: Format,
  paths: readonly string[],
  options: OpenOptions,
): Promise<Recording> {
  if (options.columns !== undefined && format.columns !== true)
    throw new BadInput(
      `expected no columns with data of the format ${format.name}: they are for tables of the formats ${columnFormats.join(', ')}`,
    );
  if (format.bars !== true) refuseBarOptions(format.name, options);
  refuseRounding(format.name, options, format.bars === true || format.trades === true);
  refuseSkipping(format.name, options, format.bars === true || format.trades === true);
  return await format.open(paths, options);
}

async function openOwn(
  name: RecordingFormat,
  paths: readonly string[],
  options: OpenOptions,
): Promise<Recording> {
  const given = (['symbol', 'tick', 'increment', 'columns'] as const).find(
    (key) => options[key] !== undefined,
  );
  if (given !== undefined) {
    throw new BadInput(
      `expected no ${given} with data of the format ${name}: its instruments are in the data`,
    );
  }
  refuseBarOptions(name, options);
  refuseRounding(name, options, false);
  refuseSkipping(name, options, false);
  return await openRecording(paths, options, options.format === undefined ? undefined : name);
}

const columnFormats = formats.filter(({ columns }) => columns === true).map(({ name }) => name);

/** The format of a table whose columns are named: Parquet and feather by their content, others by the fields, then by the header. */
async function mappedFormatOf(
  path: string,
  columns: Readonly<Record<string, string>>,
): Promise<Format | undefined> {
  const head = await readHead(path);
  const own = [parquet, feather].find((one) => one.detects(head, path));
  if (own !== undefined) return own;
  if (['open', 'high', 'low', 'close'].some((field) => columns[field] !== undefined)) return barsCsv;
  if (['price', 'quantity'].some((field) => columns[field] !== undefined)) return tradesCsv;
  return [barsCsv, tradesCsv].find((one) => one.detects(head, path));
}

/** A text capture is ours only when no format of another venue claims its addresses; the other own formats always are. */
async function foreignFormatOf(path: string, own: RecordingFormat | undefined): Promise<Format | undefined> {
  if (own !== undefined && own !== 'capture-text') return undefined;
  const head = await readHead(path);
  return formats.find((one) => one.detects(head, path));
}

async function checkSame(path: string, first: string, format: Format): Promise<void> {
  if (format.detects(await readHead(path), path)) return;
  throw new BadInput(
    `${path}: expected the format ${format.name}, as ${first}; open other formats on their own`,
  );
}
