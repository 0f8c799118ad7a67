import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/** The allow-lists, and spot only: a contract needs a margin account and a cancel path of its own. */
export const symbolAllowed: Control = ({ instrument, strategy }, _view, memory) => {
  if (instrument.spec.type !== 'spot') {
    return deny('SYMBOL_NOT_ALLOWED', `${instrument.symbol} is a contract; only spot symbols are traded`);
  }
  if (memory.instruments[instrument.id]?.allowed !== true) {
    return deny('SYMBOL_NOT_ALLOWED', `${instrument.symbol} is not among the symbols that may be traded`);
  }
  return strategy.limits.allowed[instrument.id] === true
    ? undefined
    : deny('SYMBOL_NOT_ALLOWED', `strategy ${strategy.limits.name} may not trade ${instrument.symbol}`);
};

/** Orders are for symbols in working order. Source: API v3, "Symbol status". */
export const symbolWorking: Control = ({ instrument }, view) => {
  const status = view.status(instrument.id);
  return status === 'working'
    ? undefined
    : deny('SYMBOL_NOT_WORKING', `expected ${instrument.symbol} to be working, found ${status}`);
};
