// `npm run rehearse -- --from -2h --set NAME=VALUE`: see server/src/rehearse.ts.
import { run } from './test/command.ts';

process.exitCode = run(process.execPath, ['server/src/rehearse.ts', ...process.argv.slice(2)]) ? 0 : 1;
