import type { Micros } from '../../core/base/clock.ts';

/** The service manager that started the daemon. It is told over `bin/godwit.js`, which is what it started. */
export interface ServiceManager {
  /** How often it wants to be told that the daemon lives; `undefined` when it does not. */
  readonly watchdog: Micros | undefined;
  /** Takes what `sd_notify` takes: `READY=1`, `STATUS=...`. */
  tell(notices: readonly string[]): void;
}

/** The end of the channel to `bin/godwit.js`. */
export interface LauncherChannel {
  readonly connected?: boolean;
  send?(message: object, handle: undefined, options: object, onSent: () => void): boolean;
}

/** `undefined` where none waits to be told: `NOTIFY_SOCKET` is not set, or there is nothing between that could tell it. */
export function serviceManager(
  environment: Readonly<Record<string, string | undefined>>,
  channel: LauncherChannel = process,
): ServiceManager | undefined {
  if (environment['NOTIFY_SOCKET'] === undefined || channel.send === undefined) return undefined;
  const watchdog = Number(environment['WATCHDOG_USEC'] ?? 'NaN');
  return {
    watchdog: Number.isSafeInteger(watchdog) && watchdog > 0 ? (watchdog as Micros) : undefined,
    tell: (notices) => {
      // A channel that is gone is a stop of its own, and tells of it.
      if (channel.connected === true) channel.send?.({ notices }, undefined, {}, () => {});
    },
  };
}

/** Text that stands in one notice. */
export function statusNotice(text: string): string {
  return `STATUS=${text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200)}`;
}
