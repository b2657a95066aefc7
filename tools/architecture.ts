// `npm run architecture`: the architecture checks, which `npm test` holds too.
import { checkArchitecture } from './architecture/check-architecture.ts';

process.exitCode = checkArchitecture().failures.length === 0 ? 0 : 1;
