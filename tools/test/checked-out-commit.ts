import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../repository.ts';

/** Its hash; one fixed word where the sources came without git. */
export function checkedOutCommit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: repositoryRoot, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'no commit';
}
