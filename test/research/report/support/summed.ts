import type { Event } from '../../../../src/core/model/event.ts';
import { State } from '../../../../src/core/state/state.ts';
import type { SummaryDeps } from '../../../../src/research/report/fold/summary.ts';
import { Summary } from '../../../../src/research/report/fold/summary.ts';

/** A summary with a state of its own, whose ledger books each event that it is to observe. */
export function summed(setting: Omit<SummaryDeps, 'entries'>): {
  readonly summary: Summary;
  readonly observe: (event: Event) => void;
} {
  const state = new State({ instruments: setting.instruments });
  const summary = new Summary({ ...setting, entries: (event) => state.entriesOf(event) });
  return {
    summary,
    observe: (event) => {
      state.fold(event);
      summary.observe(event);
    },
  };
}
