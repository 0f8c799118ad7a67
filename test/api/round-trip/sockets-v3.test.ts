import { testRows } from './run.ts';
import { publicSocketV3, walletSocketV3 } from './sockets-public-v3.ts';
import { futuresSocketV3, marginSocketV3, spotSocketV3 } from './sockets-trading-v3.ts';

testRows('the v3 public socket', publicSocketV3);
testRows('spot on the v3 trading socket', spotSocketV3);
testRows('margin on the v3 trading socket', marginSocketV3);
testRows('futures on the v3 trading socket', futuresSocketV3);
testRows('the v3 wallet socket', walletSocketV3);
