// `npm run recordings -- export|import|convert …`: see server/src/recordings-command.ts.
import { run } from './test/command.ts';

/** Whatever a file of strangers says of its size. */
const MEMORY = '--max-old-space-size=1024';

process.exitCode = run(process.execPath, [MEMORY, 'server/src/recordings-command.ts', ...process.argv.slice(2)])
  ? 0
  : 1;
