import type { ReportDocument, ReportSection, ReportFigure } from '../document/index.ts';

const sectionKey = 'identity';

/** Data, code and settings of a run, as given, in this order. */
export function identitySection(identity: Readonly<Record<string, string | number>>): ReportSection {
  const figures = Object.entries(identity).map(([label, value]) => ({
    key: `identity.${label.replaceAll(' ', '-')}`,
    label,
    definition: identityWords[label] ?? '',
    value: String(value),
    ...(typeof value === 'number' ? { number: value } : {}),
  }));
  return { key: sectionKey, title: 'Identity', figures, tables: [] };
}

/** The same document with another identity. */
export function identified(
  document: ReportDocument,
  identity: Readonly<Record<string, string | number>>,
): ReportDocument {
  const sections = document.sections.map((one) => (one.key === sectionKey ? identitySection(identity) : one));
  return { ...document, sections };
}

const identityWords: Readonly<Record<string, string>> = {
  mode: 'Backtest, or how the daemon ran.',
  scenario: 'Name of the scenario, and a hash of its file.',
  data: 'The files of the recording.',
  'data hash': 'A hash of the size, the first and the last bytes of every file of the data.',
  'data format': 'How the recording is written.',
  'data grade':
    'A: whole and proved. B: small faults, or something inferred. C: results are doubtful. D: unusable.',
  'grade reasons': 'Why the grade is no better.',
  seed: 'The seed of every random number of the run.',
  configuration: 'A hash of the whole configuration, the seed included.',
  code: "A hash of Godwit's own source files.",
  strategy: 'Name of each strategy, and a hash of its files.',
  'fill model': 'Fill assumptions.',
  latency: 'Time from the gate to the engine, and back.',
  decisions: 'A hash over all events: the same data, configuration, seed and code give the same hash.',
  run: 'The run in the ids of its orders.',
  journal: 'The file of the journal.',
  objective: 'The figure that the best parameters of a window maximize.',
  search: 'The search method.',
  trials: 'How many different trials were counted on this data so far, this one included.',
  'points tried': 'How many parameters were tried, on all training windows together.',
  windows: 'Length of the training and of the test windows.',
};

/** One parameter or setting of a run. */
export interface ReportedSetting {
  /** A parameter, or the path of a setting. */
  readonly name: string;
  readonly value: string;
  /** The default; `undefined` where there is no such value. */
  readonly usual: string | undefined;
  /** The strategy of a parameter. */
  readonly group: string | undefined;
}

export const parametersKey = 'parameters';
export const settingsKey = 'settings';

/** Sections of a run: the parameters of its strategies, and the settings that are not the defaults. */
export function settingSections(
  parameters: readonly ReportedSetting[],
  settings: readonly ReportedSetting[],
): readonly ReportSection[] {
  const isOne = new Set(parameters.map(({ group }) => group)).size <= 1;
  return [
    section(
      parametersKey,
      'Parameters',
      parameters.map((one) => (isOne ? { ...one, group: undefined } : one)),
    ),
    section(settingsKey, 'Changed settings', settings),
  ].filter(({ figures }) => figures.length > 0);
}

/** Whether it is one of `settingSections`. */
export function isOfSettings({ key }: ReportSection): boolean {
  return key === parametersKey || key === settingsKey;
}

function section(key: string, title: string, settings: readonly ReportedSetting[]): ReportSection {
  const figures = settings.map(({ name, value, usual, group }): ReportFigure => ({
    key: `${key}.${name}`,
    label: name,
    definition: usual === undefined ? 'It has no default.' : `The default is ${usual}.`,
    ...(usual === undefined ? {} : { usual }),
    ...(group === undefined ? {} : { group }),
    value,
    ...(isPlain(value) ? { number: Number(value) } : {}),
  }));
  return { key, title, figures, tables: [] };
}

function isPlain(text: string): boolean {
  return /^-?\d{1,15}(\.\d{1,12})?$/.test(text);
}
