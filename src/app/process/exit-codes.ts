/** Exit codes are part of the interface. Source: product, section 2. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  notFound: 4,
  timedOut: 5,
  refusedByRiskControl: 6,
  checkFailed: 7,
  strategyStopped: 8,
  memoryFull: 9,
  configuration: 78,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;
