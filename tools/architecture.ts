// `npm run architecture`: the architecture checks, which `npm test` holds too; with `--write`, first draws docs/architecture.md anew.
import { checkArchitecture, drawArchitecture } from './architecture/check-architecture.ts';

if (process.argv.includes('--write')) drawArchitecture();
process.exitCode = checkArchitecture().failures.length === 0 ? 0 : 1;
