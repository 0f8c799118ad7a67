import type { Clock, Micros } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';
import { BadInput } from '../core/base/errors.ts';
import { unguessable } from './access.ts';
import type { AskedAct } from './act-rows.ts';
import { doneText, intendedBy } from './act-rows.ts';
import { Refused, shownText } from './refused.ts';
import type { OperatedRun } from './run.ts';
import type { RunView } from './run-view.ts';
import type { Acted } from './schemas.ts';
import { changeText } from './shown-params.ts';

/** How long the code of a first step may be sent again. */
const confirmWithin = seconds(60);

type StrategyAct = Extract<AskedAct, { act: 'startStrategy' | 'stopStrategy' | 'setParams' }>;
type PromoteAct = Extract<AskedAct, { act: 'promote' }>;

/** Carries out acts. */
export class Acts {
  readonly #run: OperatedRun;
  readonly #view: RunView;
  readonly #clock: Clock;
  /** Code of the last first step; `of` is what it was asked for. */
  #code: { readonly text: string; readonly until: Micros; readonly of: string } | undefined;

  constructor(run: OperatedRun, view: RunView) {
    this.#run = run;
    this.#view = view;
    this.#clock = run.clock;
  }

  take(asked: AskedAct): Acted | Promise<Acted> {
    const { run: runNow } = this.#run;
    if (asked.run !== undefined && asked.run !== runNow)
      throw new Refused(
        409,
        'RUN',
        `nothing was done: this was meant for run ${shownText(asked.run)}, and the daemon was started again as run ${runNow}; look at it, then ask again`,
      );
    if (asked.act === 'startStrategy' || asked.act === 'stopStrategy' || asked.act === 'setParams')
      return this.#onStrategy(asked);
    if (asked.act === 'promote') return this.#promote(asked);
    if (asked.act === 'stop') {
      this.#run.stop(asked.why === '' ? `stopped by ${asked.who}` : `${asked.why}, by ${asked.who}`);
      return done('the daemon stops: it cancels its orders and ends');
    }
    if (asked.act === 'reload') return this.#reload(asked);
    if (asked.act === 'clear' && !this.#isConfirmed(asked.confirm, 'clear')) return this.#firstStep();
    const run = { view: this.#view, strategy: (name: string | null) => this.#strategy(name) };
    this.#run.act(intendedBy(asked, run), asked.who, asked.why);
    return done(doneText(asked));
  }

  /** Throws `Refused` when the strategy is not there, is not as the act expects, or does not take what it is given. */
  async #onStrategy(asked: StrategyAct): Promise<Acted> {
    const { strategy, who, why } = asked;
    this.#started(strategy);
    const { trader, strategyActs } = this.#run;
    // One that is still ending can be started: it begins once it has ended.
    const stopped = trader.view.stoppedOrEnding(strategy);
    if (asked.act === 'startStrategy' && stopped === undefined)
      throw new Refused(409, 'RUNNING', `strategy ${strategy} runs already`);
    if (asked.act === 'stopStrategy' && trader.view.off(strategy) !== undefined)
      throw new Refused(409, 'STOPPED', `strategy ${strategy} is stopped already`);
    try {
      if (asked.act === 'stopStrategy') {
        strategyActs.stop(strategy, who, why);
        return done(`strategy ${strategy}: stopped until it is started; its orders are canceled`);
      }
      if (asked.act === 'startStrategy') {
        await strategyActs.start(strategy, who, why);
        return done(`strategy ${strategy}: started`);
      }
      await strategyActs.setParams(strategy, asked.params, who, why);
      const now = 'begins anew with them; orders of before are canceled';
      const names = Object.keys(asked.params).join(', ');
      return done(
        `strategy ${strategy}: ${names} changed; it ${stopped === undefined ? now : 'has them once it is started'}`,
      );
    } catch (error) {
      if (error instanceof BadInput) throw new Refused(400, 'PARAMS', error.message);
      throw error;
    }
  }

  /** Throws `Refused` when there is no such strategy, or none has started yet. */
  #started(strategy: string): void {
    this.#strategy(strategy);
    if (!this.#run.trader.started)
      throw new Refused(409, 'STARTING', 'strategies have not started: the account is not compared yet');
  }

  async #promote({ strategy, confirm, who, why }: PromoteAct): Promise<Acted> {
    this.#started(strategy);
    const { strategyActs, shadows } = this.#run;
    const shadow = shadows?.of(strategy);
    if (shadow === undefined)
      throw new Refused(409, 'NO_SHADOW', `strategy ${strategy} has no shadow in the configuration`);
    const now = { path: strategyActs.code(strategy).path, params: strategyActs.params(strategy) };
    const change = changeText(now, shadow);
    const of = `promote ${strategy}: ${change}`;
    if (!this.#isConfirmed(confirm, of))
      return this.#asks(
        of,
        `strategy ${strategy}: ${change}. Send the code within a minute to promote its shadow`,
      );
    try {
      await strategyActs.promote(strategy, who, why);
    } catch (error) {
      if (error instanceof BadInput) throw new Refused(409, 'NOT_PROMOTED', error.message);
      throw error;
    }
    return done(
      `strategy ${strategy} begins anew with what its shadow had, and the shadow with what it had; it holds over a restart, until the configuration of this strategy is edited`,
    );
  }

  #strategy(name: string | null): string | undefined {
    if (name === null) return undefined;
    if (this.#run.strategies.some((one) => one.name === name)) return name;
    throw new Refused(404, 'NOT_FOUND', `there is no strategy ${shownText(name)} in this run`);
  }

  /** Throws `Refused` when the configuration cannot be taken over. What raises a limit is done by the second step alone. */
  async #reload({ who, why, confirm }: Extract<AskedAct, { act: 'reload' }>): Promise<Acted> {
    let raised = '';
    try {
      const {
        done: isDone,
        changes,
        raises,
      } = await this.#run.reload({
        who,
        why,
        confirms: ({ settings, changes: shownChanges }) => {
          raised = `${settings}${JSON.stringify(shownChanges)}`;
          return this.#isConfirmed(confirm, raised);
        },
      });
      const listed = [...changes];
      if (isDone) return { ...done(reloadText(changes.length)), changes: listed };
      const text = `this allows more than before: ${raises.join('; ')}. Send the code within a minute to take it over`;
      return { ...this.#asks(raised, text), changes: listed };
    } catch (error) {
      if (error instanceof BadInput) throw new Refused(409, 'RELOAD', error.message);
      throw error;
    }
  }

  /** The answer to a first step: nothing is done until its code comes back for the same. */
  #asks(of: string, text: string): Acted {
    const code = unguessable(64);
    this.#code = { text: code, until: (this.#clock.uptime() + confirmWithin) as Micros, of };
    return { done: false, text, confirm: code };
  }

  #firstStep(): Acted {
    const { trading, lossLimits } = this.#view.status();
    const held = [
      ...(trading.mode === 'active' ? [] : [`trading is ${trading.mode}: ${trading.why}`]),
      ...lossLimits.map(({ why }) => why),
    ];
    if (held.length === 0)
      return done('there is nothing to clear: trading is active, and no limit on loss was reached');
    return this.#asks('clear', `${held.join('; ')}. Send the code within a minute to clear it`);
  }

  /** Throws `Refused` when the code is not that of the last first step, or was for something else. */
  #isConfirmed(confirm: string | undefined, of: string): boolean {
    const code = this.#code;
    if (confirm === undefined) return false;
    this.#code = undefined;
    if (code?.of === of && confirm === code.text && this.#clock.uptime() <= code.until) return true;
    throw new Refused(
      409,
      'CONFIRM',
      'expected the code that the first step answered within the last minute, for the same',
    );
  }
}

function reloadText(count: number): string {
  if (count === 0) return 'the configuration was read again: nothing has changed';
  return `the configuration was read again: ${count} ${count === 1 ? 'setting' : 'settings'} taken over`;
}

function done(text: string): Acted {
  return { done: true, text };
}
