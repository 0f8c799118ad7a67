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
export type { Execution } from './execution.ts';
export type { AccountInstrument, IntegerBalances } from './instrument.ts';
export { viewOf } from './margin-view.ts';
export type { MarginNote, MarginPosition } from './margin.ts';
export { MarginAccount, drawsOnBalance } from './margin.ts';
export type {
  BalanceOutcome,
  LevelOutcome,
  MarginOutcome,
  Outcome,
  RefusalCode,
  RefusedOutcome,
  ReportOutcome,
  TradeOutcome,
} from './outcome.ts';
export type { AccountPort, PaidOrder } from './port.ts';
export {
  futuresAccountOf,
  isFuturesAccount,
  isProductAccount,
  marginAccountOf,
  spotAccountOf,
} from './products.ts';
export { refusalNumbers } from './refusal-numbers.ts';
export { Terms } from './terms.ts';
export { amountOf, unitsMax } from './units.ts';
export type { IntegerBalance, Wallet } from './wallet.ts';
export type { FeeBox } from './wallets.ts';
export { Wallets } from './wallets.ts';
