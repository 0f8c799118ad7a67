/** Commands, outcomes, wallets and margin accounts. */
export type {
  AccountId,
  AdjustBalanceCommand,
  ClosePositionCommand,
  ExchangeCommand,
  ExpireContractCommand,
  ListedOrder,
  MarginCommand,
  PlaceCommand,
  PlaceListCommand,
  ReplaceCommand,
  SetAmrCommand,
  SetAutoMarginCommand,
  SetLeverageCommand,
  SetMarginCommand,
  SetMarkCommand,
  SettleContractCommand,
  SettleFundingCommand,
  TakeInterestCommand,
} from './command.ts';
export {
  futuresAccountOf,
  isFuturesAccount,
  isProductAccount,
  marginAccountOf,
  spotAccountOf,
} from './command.ts';
export type { IntegerBalance, Wallet } from './integer-balances.ts';
export { amountOf, unitsMax } from './integer-balances.ts';
export type { MarginNote, MarginPosition } from './margin.ts';
export { MarginAccount, drawsOnBalance, viewOf } from './margin.ts';
export type {
  BalanceOutcome,
  Execution,
  LevelOutcome,
  MarginOutcome,
  Outcome,
  RefusalCode,
  RefusedOutcome,
  ReportOutcome,
  TradeOutcome,
} from './outcome.ts';
export { refusalNumbers } from './outcome.ts';
export type { AccountInstrument, AccountPort, IntegerBalances, PaidOrder } from './terms.ts';
export { Terms } from './terms.ts';
export type { FeeBox } from './wallets.ts';
export { Wallets } from './wallets.ts';
