// `npm run copy-database -- --to postgresql://user:password@host/database`: see server/src/copy-database.ts.
import { run } from './test/command.ts';

process.exitCode = run(process.execPath, ['server/src/copy-database.ts', ...process.argv.slice(2)]) ? 0 : 1;
