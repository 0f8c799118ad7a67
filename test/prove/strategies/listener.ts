import { defineStrategy, millis, z } from 'godwit/strategy';

/** Samples that one line tells. */
const perLine = 40;

/** Tells how long after the daemon received a change of a book it was called with it: µs, and in which turn that was. */
export default defineStrategy({
  name: 'listener',
  params: z.strictObject({ symbol: z.string(), turnMs: z.int() }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params: { turnMs }, timers, log }) {
    const noted: string[] = [];
    return {
      onStart: () => void timers.every(millis(500), 'tell'),
      onBook({ receiveTime }) {
        const nowMs = performance.timeOrigin + performance.now();
        noted.push(`${Math.floor(nowMs / turnMs)} ${Math.round(nowMs * 1_000 - receiveTime)}`);
      },
      onTimer() {
        while (noted.length > 0) log.info(noted.splice(0, perLine).join(','));
      },
    };
  },
});
