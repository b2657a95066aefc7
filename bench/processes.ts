/** Processor time and memory of other processes, as Linux counts them; elsewhere they are not known, and NaN. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, which is 100 wherever Linux runs. */
const TICK_MS = 10;
const KB_PER_MB = 1024;
/** Fields of `stat` as its manual counts them. */
const [PARENT, USER, SYSTEM] = [4, 14, 15];

/** So far, in ms, of a process. */
export function cpuMsOf(pid: number): number {
  return cpuMsIn(fieldsOf(pid, 'stat'));
}

/** So far, in ms, of the thread on which a process runs its JavaScript. */
export function mainThreadMsOf(pid: number): number {
  return cpuMsIn(fieldsOf(pid, `task/${pid}/stat`));
}

function cpuMsIn(fields: readonly string[]): number {
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
}

export function rssMbOf(pid: number): number {
  return mbIn(textOf(pid, 'status'), 'VmRSS');
}

function mbIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / KB_PER_MB;
}

/** In MB. `pss`: of what several processes share each has its part, so that several can be added. */
export type Memory = { command: string; rss: number; pss: number };

/** What a process and all below it hold. */
export function memoryBelow(pid: number): Memory[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0);
  const parents = new Map(pids.map((one) => [one, Number(fieldsOf(one, 'stat')[PARENT])]));
  const isBelow = (one: number): boolean => one === pid || (one > 1 && isBelow(parents.get(one) ?? 0));
  return pids.filter(isBelow).map((one) => {
    const text = textOf(one, 'smaps_rollup');
    return { command: textOf(one, 'cmdline').replaceAll('\0', ' '), rss: mbIn(text, 'Rss'), pss: mbIn(text, 'Pss') };
  });
}

/** A process that does nothing: when it says so, and its memory in MB. */
export async function idleNode(): Promise<{ startedMs: number; rss: number }> {
  const spawnedMs = performance.now();
  const child = spawn(process.execPath, ['-e', 'console.log(1); setTimeout(() => {}, 60_000)']);
  await once(child.stdout, 'data');
  const took = performance.now() - spawnedMs;
  const [{ rss } = { rss: Number.NaN }] = memoryBelow(child.pid ?? 0);
  child.kill();
  return { startedMs: took, rss };
}

/** From the first on; the name, which may hold blanks, is left out. */
function fieldsOf(pid: number, file: string): string[] {
  const line = textOf(pid, file);
  return ['', '', '', ...line.slice(line.lastIndexOf(')') + 2).split(' ')];
}

/** Nothing of a process that has ended meanwhile. */
function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
