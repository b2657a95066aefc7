import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** A user of this machine by its numbers, as `spawn` takes them. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['postgres', 'nobody'];

/** The user PostgreSQL runs as when this process is root; undefined when it is not root and can run it itself. */
export function findUnprivilegedUser(): SystemUser | undefined {
  if (userInfo().uid !== 0) return undefined;
  for (const name of CANDIDATES) {
    const user = lookUp(name);
    if (user !== undefined) return user;
  }
  throw new Error(`PostgreSQL does not run as root, and this machine has none of the users ${CANDIDATES.join(', ')}.`);
}

function lookUp(name: string): SystemUser | undefined {
  try {
    const number = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: number('-u'), gid: number('-g') };
  } catch {
    return undefined;
  }
}
