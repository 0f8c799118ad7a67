/** Entries by strategy and account, and every figure about money that comes from them. */
export type { ChargeEntry, CorrectionEntry, FillEntry, LedgerEntry } from './entry.ts';
export { chargesOf, entryOfMove } from './entry.ts';
export { Holding } from './holding.ts';
export { Ledger } from './ledger.ts';
export type { MovedSums } from './moved-money.ts';
export { hasSameTerms } from './open-executions.ts';
export type { Position } from './position.ts';
export { externalStrategy } from './position.ts';
export { chargedFee, cutOf, isSameButCut, nearestPrinted } from './printed.ts';
export type { ProfitCourses } from './profit-peak.ts';
export { ProfitPeak, deepestFall, peakWith } from './profit-peak.ts';
export { profitAt, takesFeesInBase, unrealizedAt, valueOf } from './valuation.ts';
export type { ReportedBalances } from './wallet-moves.ts';
export {
  exchangedBy,
  movesOf,
  movesOfTrade,
  reportedBalances,
  walletOf,
  walletPaying,
  wallets,
} from './wallet-moves.ts';
export type { TransferOfWallet, WalletDifference, WalletsView } from './wallet-totals.ts';
