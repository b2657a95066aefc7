// `npm run dev`: the web pages from their sources, replaced in the open page as they are edited. Calls and the live stream go to
// the product that runs (web/vite.config.ts).
import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';

process.chdir(join(repositoryRoot, 'web'));
// In this process, which is the one that a signal reaches.
await import(join(repositoryRoot, 'node_modules/vite/bin/vite.js'));
