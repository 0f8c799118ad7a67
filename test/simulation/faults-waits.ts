import { aimedFaults, onOrder } from './faults-aimed.ts';
import { drill, rest, silence } from './faults-drills.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting } from './fault.ts';

/** Faults of drills of what waits: for an answer, for the disk, for a process that is away. */
export const waitFaults = {
  /** Of three orders that leave one after the other the second alone is answered; nothing tells of the others for a while, and strategies rest. */
  answeredBetween: drill('N3 X2', 66_000, (stage) => answerBetween(stage, 4_000, 1_900)),
  /** Market data begin to come late while orders wait for the disk, shorter than they may. */
  lateInQueue: drill('D7 N7', 12_000, (stage) => {
    const { system } = stage;
    const { diskWeather } = system;
    const { market } = system.network.weather.roads;
    stage.mark();
    system.disturb(12_000);
    atFullPace(stage, 5_000);
    market.delayMin += 3_500_000;
    diskWeather.syncMin = 450_000;
    lasting(stage, 5_000, () => {
      market.delayMin -= 3_500_000;
      diskWeather.syncMin = 200;
    });
  }),
  /** A new process finds its clock more than an hour ahead of the venue's. */
  clockFarAhead: drill('P1 C1', 14_000, (stage) => {
    const { system } = stage;
    if (!system.crash()) return;
    stage.mark();
    system.clockError.offset += 3_900_000_000;
    stage.after(600, () => system.trader ?? system.start());
  }),
  /** The process is away for longer than looks read back, and an order of it executes meanwhile. */
  executedWhileAway: drill('P6', 150_000, (stage) => {
    const { system } = stage;
    if (!system.crash()) return;
    stage.mark();
    stage.after(2_000, () => aimedFaults.ownTrade.begin(stage));
    stage.after(135_000, () => system.trader ?? system.start());
  }),
} satisfies Record<string, FaultRow>;

/** Strategies wish at full pace for so long, and rest so long after the first of the three orders. */
export function answerBetween(stage: FaultStage, paceMs: number, restAfterMs: number): void {
  const { system } = stage;
  atFullPace(stage, paceMs);
  let count = 0;
  let lastAt = 0;
  onOrder(stage, ({ method, params }) => {
    const now = system.time.now();
    if (method !== 'spot_new_order' || now === lastAt) return false;
    lastAt = now;
    count += 1;
    if (count === 1) rest(stage, 60_000, restAfterMs);
    if (count === 2) return false;
    stage.mark();
    // The first is shown while it is still looked for, the last beyond the longest wait for an answer.
    silence(stage, params['client_order_id'] ?? '', count === 1 ? 12_000 : 22_000);
    return count === 3;
  });
}

/** Strategies wish in every turn for so long. */
export function atFullPace(stage: FaultStage, ms: number): void {
  const { hand } = stage.system;
  const { pace } = hand;
  hand.pace = 1;
  lasting(stage, ms, () => {
    hand.pace = pace;
  });
}
