// Imported before the program of a test: its threads may write only so much, as on a disk with a quota. Node.js has no name
// for that error.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const BYTES_MAX = 8_000_000;
const EDQUOT = 'Unknown system error -122';

const writeSync = fs.writeSync.bind(fs) as (...given: unknown[]) => number;
let written = 0;
if (!isMainThread) {
  fs.writeSync = (...given: unknown[]) => {
    if (written > BYTES_MAX) throw Object.assign(new Error(EDQUOT), { code: EDQUOT });
    const bytes = writeSync(...given);
    written += bytes;
    return bytes;
  };
  syncBuiltinESMExports();
}
