// `npm run copy-settings -- --to postgresql://user:password@host/database`: see server/src/copy-settings.ts.
import { run } from './test/command.ts';

process.exitCode = run(process.execPath, ['server/src/copy-settings.ts', ...process.argv.slice(2)]) ? 0 : 1;
