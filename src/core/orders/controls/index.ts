/** Controls of orders: each judges an intent. */
export { certainLots } from './doubt.ts';
export { isDeniedExit, isExit, onlyReduces } from './exits.ts';
export { isHeldBack } from './loss.ts';
export { inputsOf, reducesPosition } from './needs.ts';
export { selfTrade } from './price.ts';
export type { TableRow } from './table.ts';
export {
  controlTable,
  judgeCandidate,
  rememberedStates,
  renewalTable,
  ruleWays,
  tableAlone,
  tableBeside,
} from './table.ts';
export { unanswered } from './trading-status.ts';
export { UnexplainedMoney } from './unexplained.ts';
