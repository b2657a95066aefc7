import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ENDS_WITHIN_MS = 30_000;
const POLL_MS = 20;

/**
 * Ends the server that a killed product has left on these data. PostgreSQL itself takes the pid file of a process that is
 * gone for what it is, but never one whose number another program has by now, as after a reboot: that is removed here.
 * @throws when the server does not end
 */
export async function endLeftoverServer(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = pidIn(file);
  if (pid === null || !isAlive(pid)) return;
  if (!isServerOn(data, pid)) {
    rmSync(file);
    return;
  }
  process.kill(pid, 'SIGINT');
  for (const from = performance.now(); isServerOn(data, pid); await pause(POLL_MS))
    if (performance.now() - from > ENDS_WITHIN_MS) throw new Error(`Process ${pid} works on ${data} and does not end.`);
}

function pidIn(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isServerOn(data: string, pid: number): boolean {
  return commandOf(pid).includes(`postgres -D ${data} -c `);
}

/** Its program and arguments; empty where it has ended, also before its exit status was read. */
function commandOf(pid: number): string {
  if (process.platform !== 'linux') return spawnSync('ps', ['-o', 'command=', '-p', `${pid}`]).stdout.toString();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
