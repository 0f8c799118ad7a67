import { drill } from './faults-drills.ts';
import { marginFaults, positionsOf } from './faults-margin.ts';
import { answerBetween, atFullPace } from './faults-waits.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting } from './fault.ts';

/** Faults of drills of what halts: a product, or all trading. */
export const stopFaults = {
  /** Somebody closes a position in silence, nothing else is in the way, and once the difference is found a new process begins. */
  closedInPeace: {
    ...drill('X20 P1', 215_000, (stage) => {
      const { system, random } = stage;
      const { tower } = system;
      atFullPace(stage, 213_000);
      const found = (kind: string): void => {
        if (kind !== 'marginFound') return;
        tower.eventHooks.delete(found);
        stage.after(random.between(4_000, 9_000), () => {
          if (system.crash()) stage.after(600, () => system.trader ?? system.start());
        });
      };
      lasting(stage, 213_000, () => tower.eventHooks.delete(found));
      // What is found before is other money.
      closeOne(stage, 25, () => stage.after(60_000, () => tower.eventHooks.add(found)));
    }),
    isOnMargin: true,
  },
  /** As `answeredBetween`, where strategies wish for longer. */
  unknownInPeace: drill('N3 X2', 66_000, (stage) => answerBetween(stage, 6_000, 3_900)),
} satisfies Record<string, FaultRow>;

/** Closes a position without a trace, as soon as there is one. */
function closeOne(stage: FaultStage, triesLeft: number, closed: () => void): void {
  const { hidden } = stage.system.tower;
  const before = hidden.size;
  if (positionsOf(stage).length > 0) marginFaults.hiddenClose.begin(stage);
  if (hidden.size > before) closed();
  else if (triesLeft > 0) stage.after(1_000, () => closeOne(stage, triesLeft - 1, closed));
}
