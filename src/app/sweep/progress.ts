import type { Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { Output } from '../process/output.ts';

export interface ProgressDeps {
  readonly clock: Clock;
  readonly output: Output;
  /** How many trials there will be, at most. */
  readonly total: number;
  /** Writes over one line of a terminal; `undefined` elsewhere. */
  readonly overwrite: ((text: string) => void) | undefined;
}

const barWidth = 24;

/** How far a sweep has come: a bar with an estimate on a terminal, a line every ten seconds elsewhere. */
export class SweepProgress {
  readonly #setting: ProgressDeps;
  #printed = 0;
  #done = 0;
  #stored = 0;
  /** When the first trial that ran had ended: until then threads were loading and compiling. */
  #firstAt: number | undefined;
  #best: number | undefined;

  constructor(setting: ProgressDeps) {
    this.#setting = setting;
    this.#printed = setting.clock.uptime();
  }

  tried(value: number | undefined, isStored: boolean): void {
    this.#done += 1;
    if (isStored) this.#stored += 1;
    if (value !== undefined && (this.#best === undefined || value > this.#best)) this.#best = value;
    const { clock, overwrite, output } = this.#setting;
    const now = clock.uptime();
    if (!isStored) this.#firstAt ??= now;
    if (now - this.#printed < (overwrite === undefined ? seconds(10) : 100_000)) return;
    this.#printed = now;
    if (overwrite === undefined) output.progress(this.#text(now));
    else overwrite(`${this.#bar()} ${this.#text(now)}`);
  }

  /** Leaves the line clean for what comes next. */
  end(): void {
    this.#setting.overwrite?.('');
  }

  #text(now: number): string {
    const { total } = this.#setting;
    const since = this.#done - this.#stored - 1;
    const left = Math.max(0, total - this.#done);
    const estimate =
      since < 1 ? '' : `, about ${timeText(((now - (this.#firstAt ?? now)) / since) * left)} left`;
    const best = this.#best === undefined ? '' : `, best ${Number(this.#best.toPrecision(6))}`;
    return `${this.#done} of ${total} trials${estimate}${best}`;
  }

  #bar(): string {
    const { total } = this.#setting;
    const full = Math.min(barWidth, Math.round((this.#done / Math.max(1, total)) * barWidth));
    return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
  }
}

function timeText(micros: number): string {
  const whole = Math.ceil(micros / 1e6);
  if (whole < 120) return `${whole} s`;
  return whole < 7_200 ? `${Math.round(whole / 60)} min` : `${(whole / 3_600).toFixed(1)} h`;
}
