/** The sentinel: a second process that cancels own orders when the daemon is gone or stands still; and the daemon's side of it. */
export { startSentinel } from './child.ts';
export { Guard, watchingService } from './guard.ts';
export { killedSince, killPath, writeOthers } from './run-files.ts';
