import type { ReportFigure, ReportSection } from '../document/index.ts';

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
