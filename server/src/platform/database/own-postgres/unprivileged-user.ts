import { execFileSync } from 'node:child_process';
import { NoOwnPostgres } from './no-own-postgres.ts';

/** A user of this machine, its numbers as `spawn` takes them. */
export type SystemUser = { readonly uid: number; readonly gid: number };

const CANDIDATES = ['postgres', 'nobody'];

/**
 * The user PostgreSQL runs as when this process is root: the first of `owners` (user ids) that is not root, or one that
 * most machines have. Undefined when this process is not root and can run it itself.
 * @throws NoOwnPostgres when there is no such user
 */
export function findUnprivilegedUser(owners: readonly number[] = []): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const names = [...owners.filter((uid) => uid !== 0).map(String), ...CANDIDATES];
  const user = names.map(lookUp).find((found) => found !== undefined);
  if (user !== undefined) return user;
  const wanted = CANDIDATES.join(' nor ');
  throw new NoOwnPostgres(`PostgreSQL does not run as root, and this machine has no user ${wanted} to run it as.`);
}

function lookUp(name: string): SystemUser | undefined {
  try {
    const number = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: number('-u'), gid: number('-g') };
  } catch {
    return undefined;
  }
}
