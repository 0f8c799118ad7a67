import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Before each file: the processes that tests start share what Node has compiled, so that only the first compiles it.
// Not before the run: its own threads would still write there when the folder of the run is gone.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'compiled');
