import { accountV2 } from './account-v2.ts';
import { marginV2 } from './margin-v2.ts';
import { peopleV2 } from './people-v2.ts';
import { publicV2 } from './public-v2.ts';
import { testRows } from './run.ts';
import { tradingV2 } from './trading-v2.ts';

testRows('public reads of v2', publicV2);
testRows('trading of v2', tradingV2);
testRows('margin trading of v2', marginV2);
testRows('the account of v2', accountV2);
testRows('sub-accounts and purchases of v2', peopleV2);
