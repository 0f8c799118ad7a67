import type { ReportDocument, ReportSection } from './document.ts';

const sectionKey = 'identity';

/** What a run was made of: shown as given, in this order. */
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
    'A: whole and proved. B: small faults, or something inferred. C: results are doubtful. D: not to be trusted.',
  seed: 'The seed of every random number of the run.',
  configuration: 'A hash of everything that was configured, the seed included.',
  code: "A hash of Godwit's own source files.",
  strategy: 'Name of each strategy, and a hash of its files.',
  'fill model': 'What is believed about fills.',
  latency: 'Time from the gate to the engine, and back.',
  decisions: 'A hash over everything that happened: same data, configuration, seed and code give the same.',
  run: 'Names the run in every order id it made.',
  journal: 'Where everything that happened was written down.',
  objective: 'What was greatest at the best parameters of a window.',
  search: 'How parameters were chosen.',
  trials: 'How many different trials were counted on this data so far, this one included.',
  'points tried': 'How many parameters were tried, on all training windows together.',
  windows: 'How long was chosen on, and judged on.',
};
