import { accountsV3 } from './accounts-v3.ts';
import { futuresV3, marginV3 } from './margin-v3.ts';
import { publicV3 } from './public-v3.ts';
import { testRows } from './run.ts';
import { spotV3 } from './spot-v3.ts';
import { walletV3 } from './wallet-v3.ts';

testRows('public reads of v3', publicV3);
testRows('spot trading of v3', spotV3);
testRows('margin trading of v3', marginV3);
testRows('trading of contracts of v3', futuresV3);
testRows('the wallet of v3', walletV3);
testRows('sub-accounts, purchases and keys of v3', accountsV3);
