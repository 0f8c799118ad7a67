const verbs: Readonly<Record<string, string>> = {
  backtesting: 'backtest',
  'download-data': 'record',
  sim: 'trade --mode sim',
  paper: 'trade --mode paper',
  live: 'trade --mode live --live',
  run: 'trade',
  hyperopt: 'sweep',
  optimize: 'sweep',
  'new-strategy': 'new strategy',
  init: 'new strategy',
  start: 'demo',
  import: 'data import',
  export: 'data export',
  inspect: 'data inspect',
  lookahead: 'check lookahead',
  validate: 'config validate',
  'show-config': 'config show',
  'list-data': 'data list',
  'lookahead-analysis': 'check lookahead',
  'recursive-analysis': 'check warm-up',
};

/** The right verb for a name people bring along from elsewhere, or `undefined`. */
export function nearestVerb(name: string): string | undefined {
  return Object.hasOwn(verbs, name) ? verbs[name] : undefined;
}
