import { aimedFaults } from './faults-aimed.ts';
import { askedFaults } from './faults-asked.ts';
import { bookFaults } from './faults-books.ts';
import { drillFaults } from './faults-drills.ts';
import { exchangeFaults } from './faults-exchange.ts';
import { marginFaults } from './faults-margin.ts';
import { moneyFaults } from './faults-money.ts';
import { oddFaults } from './faults-odd.ts';
import { operatorFaults } from './faults-operator.ts';
import { processFaults } from './faults-process.ts';
import { roadFaults } from './faults-roads.ts';
import { socketFaults } from './faults-sockets.ts';
import { stopFaults } from './faults-stops.ts';
import { waitFaults } from './faults-waits.ts';

/** Every kind of fault, by the name a plan calls it. */
export const faultKinds = {
  ...roadFaults,
  ...socketFaults,
  ...bookFaults,
  ...exchangeFaults,
  ...processFaults,
  ...aimedFaults,
  ...marginFaults,
  ...moneyFaults,
  ...operatorFaults,
  ...oddFaults,
  ...drillFaults,
  ...waitFaults,
  ...askedFaults,
  ...stopFaults,
};

export type FaultKind = keyof typeof faultKinds;
