/** The REST client, and what is asked over it. */
export { askCandles } from './candle-history.ts';
export { RestCommands, cancelAllCall, cancelCall, changeCall, symbolsCall } from './commands.ts';
export { keyRights } from './key-rights.ts';
export type { ApiCall, ApiVersion, CallGate, RestDeps, RestReply } from './rest.ts';
export { RestClient, RestFailed, callOf, fieldText, restRoots, wholeText } from './rest.ts';
export { SymbolWatch, loadInstruments } from './symbol-list.ts';
