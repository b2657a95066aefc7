// `npm run build`: everything that `npm start` builds when it is missing, built ahead, for an image, or for an upgrade that
// nothing waits for. Installing comes before it, as before every command.
import { buildProgramsWhenNeeded } from './start/program-build.ts';
import { buildWebWhenNeeded } from './start/web-build.ts';

process.exitCode = buildProgramsWhenNeeded() && buildWebWhenNeeded() ? 0 : 1;
