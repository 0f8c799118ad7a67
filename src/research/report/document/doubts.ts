/** Every reason to doubt a result. `docs/reports.md` lists them with what to do. */
export const doubtCodes = [
  'INCOMPLETE',
  'STRATEGY_STOPPED',
  'FROM_JOURNAL',
  'DATA_POOR',
  'DATA_ROUNDED',
  'CLOCK_DOUBTFUL',
  'DATA_IN_FUTURE',
  'PRICES_DOUBTFUL',
  'RUINED',
  'OPEN_KNOWN',
  'SIZE_DOUBTFUL',
  'SIZE_BELOW_LOT',
  'DATA_ENDED_EARLY',
  'PRICE_COLLAPSED',
  'CALENDAR_GAPS',
  'FEES_ASSUMED',
  'FEES_DOUBTFUL',
  'MARK_ASSUMED',
  'FUNDING_ASSUMED',
  'ORDERS_REFUSED',
  'ORDERS_ALL_REFUSED',
  'EXITS_DENIED',
  'MODULE_STATE',
] as const;

export type DoubtCode = (typeof doubtCodes)[number];

/** One reason to doubt a result: a code that does not change, and a clause for the title. */
export interface Doubt {
  readonly code: DoubtCode;
  readonly text: string;
}

/** For the title of everything that is shown; empty when nothing is doubtful. */
export function warningOf(doubts: readonly Doubt[]): string {
  return doubts.map(({ text }) => text).join('; ');
}

/** The last sentence of a command whose result is doubtful; `undefined` where it is not. */
export function exitSentence(doubts: readonly Doubt[]): string | undefined {
  if (doubts.length === 0) return undefined;
  return `doubtful result: ${doubts.map(({ code, text }) => `${text} (${code})`).join('; ')}`;
}

export function doubt(code: DoubtCode, text: string): Doubt {
  return { code, text };
}
