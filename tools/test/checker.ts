import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot, say } from '../repository.ts';
import { firstLine } from './failure.ts';
import { ONE_PASSED, oneFailed, type Tally } from './tally.ts';

const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs an installed program that checks everything at once, as one test: the first line it prints names the failure. */
export function runChecker(name: string, program: string, programArguments: readonly string[]): Tally {
  const { status, error, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repositoryRoot, 'node_modules', program), ...programArguments],
    { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', maxBuffer: MOST_OUTPUT_BYTES },
  );
  const words = [stdout, stderr, error?.message].filter(Boolean).join('\n').trim();
  if (words !== '') say(words);
  return status === 0 ? ONE_PASSED : oneFailed(`${name}: ${firstLine(words)}`);
}
