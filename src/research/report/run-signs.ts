import type { Doubt } from './doubts.ts';
import { doubt } from './doubts.ts';

/** What a run does that makes its result doubtful, collected on the way: cheap enough for every trial of a sweep. */
export class RunSigns {
  /** Whether orders may fill at the open of a bar that the strategy was told. */
  openIsTold = false;

  /** What was found, worst first. */
  doubts(): readonly Doubt[] {
    return this.openIsTold ? [doubt('OPEN_KNOWN', openText)] : [];
  }
}

const openText =
  'a strategy is told the open before its orders fill there (market: open); nextOpen does not tell it';
