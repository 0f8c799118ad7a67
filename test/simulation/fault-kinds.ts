import { aimedFaults } from './faults-aimed.ts';
import { exchangeFaults } from './faults-exchange.ts';
import { processFaults } from './faults-process.ts';
import { roadFaults } from './faults-roads.ts';
import { socketFaults } from './faults-sockets.ts';

/** Every kind of fault, by the name a plan calls it. */
export const faultKinds = {
  ...roadFaults,
  ...socketFaults,
  ...exchangeFaults,
  ...processFaults,
  ...aimedFaults,
};

export type FaultKind = keyof typeof faultKinds;
