import { BadInput, BrokenInvariant, GodwitError } from '../../core/base/errors.ts';
import { listed } from '../../core/base/listed.ts';
import type { OperatorAct } from '../../core/model/operator.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { AskedReload, ReloadAnswer } from '../../operate/index.ts';
import { shownAt } from '../../operate/index.ts';
import type { ConfigChange } from '../config/compare.ts';
import { compareConfigs, limitsIn } from '../config/compare.ts';
import type { Config } from '../config/schema.ts';
import type { StrategyActs } from './strategy-acts.ts';

/** Where the configuration of a run came from. */
export interface ConfigSource {
  /** As it was read for the run. */
  readonly config: Config;
  /** Reads files, environment and arguments of the start again. Throws what says why they cannot be taken. */
  read(): Config;
}

export interface ReloadsDeps {
  readonly source: ConfigSource;
  readonly trader: Pick<Trader, 'limits' | 'started'>;
  readonly strategyActs: Pick<StrategyActs, 'prepare'>;
  /** Enters an act. */
  readonly act: (act: OperatorAct, who: string, why: string) => void;
  /** Makes ready to send news as another configuration says; returns what does. Throws when its secrets cannot be read. */
  readonly renews: (config: Config) => () => void;
  /** Called before and after each. */
  readonly begins?: (() => void) | undefined;
  readonly ends?: (() => void) | undefined;
}

/**
 * Reads the configuration again and lets the run take over what changed: all of it, or nothing. Everything is read, checked and made
 * ready first; only then does the first act enter.
 */
export class Reloads {
  readonly #parts: ReloadsDeps;
  #config: Config;
  #isBusy = false;

  constructor(parts: ReloadsDeps) {
    this.#parts = parts;
    this.#config = parts.source.config;
  }

  /** The configuration that was read last and taken over. */
  get config(): Config {
    return this.#config;
  }

  /** Throws `BadInput` in one sentence, and nothing has changed, when it cannot be taken over. */
  async reload(asked: AskedReload): Promise<ReloadAnswer> {
    const { begins, ends, trader } = this.#parts;
    if (this.#isBusy) throw new BadInput('the configuration is being read again already');
    if (!trader.started) throw new BadInput('strategies have not started: the account is not compared yet');
    this.#isBusy = true;
    begins?.();
    try {
      return await this.#reload(asked);
    } catch (error) {
      if (error instanceof BadInput || error instanceof BrokenInvariant || !(error instanceof GodwitError))
        throw error;
      throw new BadInput(error.message, { cause: error });
    } finally {
      this.#isBusy = false;
      ends?.();
    }
  }

  /**
   * As SIGHUP asks for it, and says what came of it. A signal cannot be confirmed: what raises a limit is left to `godwit reload`.
   * Never rejects.
   */
  async bySignal(say: (line: string) => void): Promise<void> {
    try {
      const { done, changes, raises } = await this.reload({ who: 'SIGHUP', why: '', confirms: () => false });
      if (!done)
        say(
          `SIGHUP: nothing was taken over, because ${raises.join('; ')} would be raised: use godwit reload`,
        );
      else if (changes.length === 0) say('SIGHUP: the configuration was read again: nothing has changed');
      else say(`SIGHUP: the configuration was read again: ${changedText(changes)}`);
    } catch (error) {
      say(`SIGHUP: nothing was taken over: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #reload({ who, why, confirms }: AskedReload): Promise<ReloadAnswer> {
    const { source, trader, strategyActs, act, renews } = this.#parts;
    const config = source.read();
    const { live, fixed } = compareConfigs(this.#config, config);
    if (fixed.length > 0)
      throw new BadInput(
        `${listed(fixed, namedMax)} changed: that needs a restart of the daemon, and nothing else was taken over`,
      );
    const changes = live.map(shownChange);
    const limits = limitsIn(config);
    const raises = trader.limits.loosenedBy(limits);
    if (live.length === 0) return { done: true, changes, raises };
    const news = live.some(({ path: [section] }) => section === 'operate') ? renews(config) : undefined;
    const params = await strategyActs.prepare(editedParams(config, live));
    try {
      const text = JSON.stringify(limits);
      if (raises.length > 0 && !confirms({ changes, raises, settings: text }))
        return { done: false, changes, raises };
      act({ act: 'reload', changed: changedText(changes), limits: text }, who, why);
      params.enter(who, why);
      news?.();
      this.#config = config;
      return { done: true, changes, raises };
    } finally {
      await params.release();
    }
  }
}

/** The parameters of strategies of which some changed. */
function editedParams(
  { strategies }: Config,
  changes: readonly ConfigChange[],
): ReadonlyMap<string, Config['strategies'][number]['params']> {
  const edited = changes.flatMap(({ path: [section, name, part] }) =>
    section === 'strategies' && part === 'params' ? [name] : [],
  );
  return new Map(
    strategies.filter(({ name }) => edited.includes(name)).map(({ name, params }) => [name, params]),
  );
}

function shownChange({ path, from, to }: ConfigChange): ReloadAnswer['changes'][number] {
  const text = (value: unknown): string | null =>
    value === undefined ? null : (JSON.stringify(shownAt(path, value)) ?? null);
  return { name: path.join('.'), from: text(from), to: text(to) };
}

/** So many settings stand in one sentence; the others are counted. */
const namedMax = 20;
const valueMax = 200;

function changedText(changes: ReloadAnswer['changes']): string {
  const short = (text: string | null): string =>
    text === null ? 'unset' : text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
  const texts = changes.map(({ name, from, to }) => `${name} ${short(from)} → ${short(to)}`);
  return listed(texts, namedMax);
}
