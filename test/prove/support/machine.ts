import { cpus, loadavg } from 'node:os';

/** How busy the machine is: a figure of time says little where more wants to run than there are cores. */
export function loadText(): string {
  return `load ${loadavg()[0]?.toFixed(1) ?? '?'} on ${cpus().length} cores`;
}
