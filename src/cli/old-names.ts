const verbs: Readonly<Record<string, string>> = {
  backtesting: 'backtest',
  'download-data': 'record',
  sim: 'trade --mode sim',
  paper: 'trade --mode paper',
  live: 'trade --mode live --live',
  run: 'trade',
  hyperopt: 'sweep',
  'show-config': 'config show',
};

/** The right verb for a name people bring along from elsewhere, or `undefined`. */
export function nearestVerb(name: string): string | undefined {
  return Object.hasOwn(verbs, name) ? verbs[name] : undefined;
}
