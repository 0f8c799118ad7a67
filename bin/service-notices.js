// Plain JavaScript that any Node can run: passes what the trading process says of its state on to systemd.
import { spawn } from 'node:child_process';

const noticesMax = 8;
const notice = /^([A-Z_]{1,40})=\P{Cc}{0,400}$/u;
/** A call that takes longer is given up: the next one says what is newer. */
const callMs = 10_000;

/**
 * Passes `{ notices: ['READY=1', ...] }` of a child on, by `systemd-notify`: Node cannot send to the socket of systemd itself. It is
 * called from here so that the process that trades never has to fork. Calls follow one another; of what waits the newest
 * of a kind is kept. Says once when `systemd-notify` cannot be called.
 */
export function passNoticesOn(child, environment, say) {
  const { NOTIFY_SOCKET, PATH = '/usr/bin:/bin' } = environment;
  if (NOTIFY_SOCKET === undefined) return;
  const waiting = new Map();
  let isCalling = false;
  let isBroken = false;
  const call = () => {
    if (isCalling || isBroken || waiting.size === 0) return;
    isCalling = true;
    const words = [...waiting.values()];
    waiting.clear();
    const notify = spawn('systemd-notify', words, {
      env: { NOTIFY_SOCKET, PATH },
      stdio: 'ignore',
      timeout: callMs,
    });
    notify.on('error', (error) => {
      isBroken = true;
      say(`NOTIFY_SOCKET is set, and systemd-notify cannot be started: ${error.message}`);
    });
    notify.on('close', () => {
      isCalling = false;
      call();
    });
  };
  child.on('message', (message) => {
    const given = Array.isArray(message?.notices) ? message.notices.slice(0, noticesMax) : [];
    // Systemd tells notices before a reload from those after it by its monotonic clock.
    if (given.includes('RELOADING=1')) given.push(`MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
    for (const text of given) {
      const name = notice.exec(String(text))?.[1];
      if (name === undefined) continue;
      // The manager goes by the last one of `READY`, `RELOADING` and `STOPPING`.
      waiting.delete(name);
      waiting.set(name, String(text));
    }
    call();
  });
}
