import { testRows } from './run.ts';
import { accountSocketV2, publicSocketV2, tradingSocketV2 } from './sockets-v2.ts';

testRows('the v2 public socket', publicSocketV2);
testRows('the v2 trading socket', tradingSocketV2);
testRows('the v2 account socket', accountSocketV2);
