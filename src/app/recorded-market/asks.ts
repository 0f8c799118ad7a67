import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Micros } from '../../core/base/clock.ts';
import { millis, timeText } from '../../core/base/clock.ts';
import type { MarketCourse } from './course.ts';

/** The path beside the API where a client sees how far the recording is, and has it go on. */
export const replayPath = '/replay';

/** Step that a client asks for: of a year at most, or of more events than a recording has. */
const step = z
  .strictObject({
    events: z.int().min(1).max(1_000_000_000).optional(),
    ms: z.number().min(0).max(31_622_400_000).optional(),
    to: z.iso.datetime().optional(),
  })
  .refine(({ ms, to }) => ms === undefined || to === undefined);

interface Asked {
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly reason: undefined;
}

/** Route at `replayPath`. */
export interface ReplayBinding {
  readonly method: string;
  readonly path: string;
  answer(request: Asked): Answer | Promise<Answer>;
}

/** Facts of a served recording that do not change, and one that does. */
export interface CourseView {
  /** Times as fast as recorded, or `asked`. */
  readonly speed: number | 'asked';
  readonly clock: 'recorded' | 'wall';
  /** Events that have been shown. */
  readonly shown: () => number;
}

/**
 * `GET` tells how far the recording is. Where it goes on as clients ask, `POST` has it do so: `{"events": n}` until n more events
 * have been shown (one without a body), `{"ms": n}` for n milliseconds of its time, in steps of a thousandth, `{"to": "2024-01-31T12:00:00Z"}`
 * up to a time; events and a time together: whichever comes first. The answer leaves when all that came of it was written to the sockets. Requests are taken one after the other.
 */
export function replayBindings(course: () => MarketCourse, view: CourseView): readonly ReplayBinding[] {
  let turn: Promise<unknown> = Promise.resolve();
  const status = (): Answer => {
    const { clock, round, ended } = course();
    const { speed, clock: shownClock } = view;
    const time = timeText(clock.now());
    const micros = clock.now();
    return answer(200, { time, micros, events: view.shown(), round, ended, speed, clock: shownClock });
  };
  const goOn = async (body: string): Promise<Answer> => {
    const asked = read(body);
    if (asked === undefined) return refusal(400, 'expected {"events": n}, {"ms": n} or {"to": time in UTC}');
    const market = course();
    const until = endOf(asked, market.clock.now());
    if (until === undefined || asked.events !== undefined) await market.show(asked.events ?? 1, until);
    else await market.advanceTo(until);
    // Sockets are written at the end of a turn of the loop.
    await setImmediate();
    return status();
  };
  return [
    { method: 'GET', path: replayPath, answer: status },
    {
      method: 'POST',
      path: replayPath,
      answer: ({ body }) => {
        if (view.speed !== 'asked')
          return refusal(409, `the recording goes on by itself: expected --speed asked, found ${view.speed}`);
        const done = turn.then(() => goOn(body));
        turn = done.catch(() => {});
        return done;
      },
    },
  ];
}

/** Time up to which a step goes, now at the least; `undefined` where it names none. */
function endOf({ ms, to }: z.output<typeof step>, now: Micros): Micros | undefined {
  if (ms !== undefined) return (now + Math.round(millis(ms))) as Micros;
  return to === undefined ? undefined : (Math.max(now, millis(Date.parse(to))) as Micros);
}

function read(body: string): z.output<typeof step> | undefined {
  try {
    return step.safeParse(body === '' ? {} : JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

function refusal(code: number, message: string): Answer {
  return answer(code, { error: { code, message } });
}

function answer(status: number, content: object): Answer {
  return { status, text: JSON.stringify(content), reason: undefined };
}
