import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Another process that still runs has the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Takes `folder` for this process alone: two processes on one database of its own would each end the other's. A lock whose process
 * is gone is taken over. @returns what gives the folder free. @throws FolderInUse
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'lock');
  if (!claim(file)) {
    const holder = readFileSync(file, 'utf8');
    if (holder !== signature(process.pid) && holder === signature(Number.parseInt(holder, 10)))
      throw new FolderInUse(`${folder} is in use by process ${Number.parseInt(holder, 10)}`);
    rmSync(file);
    if (!claim(file)) throw new FolderInUse(`${folder} was just taken by another process`);
  }
  return () => rmSync(file, { force: true });
}

function claim(file: string): boolean {
  try {
    writeFileSync(file, signature(process.pid) ?? '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The process id with its start time where the system tells it, since ids are used again; null when it is gone. */
function signature(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return null;
  }
  return `${pid} ${startedAt(pid)}`;
}

function startedAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
