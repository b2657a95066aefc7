/** Processor time of other processes, as Linux counts it; elsewhere it is not known, and NaN. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Db } from '@dutchbook/server/runtime.ts';
import { sql } from 'drizzle-orm';

/** USER_HZ, which is 100 wherever Linux runs. */
const TICK_MS = 10;
/** Where the line goes on after the name, which may hold blanks: field 3, the state. */
const FIELDS_BEFORE = 3;
const PARENT = 4 - FIELDS_BEFORE;
const USER = 14 - FIELDS_BEFORE;
const SYSTEM = 15 - FIELDS_BEFORE;

/** So far, in ms, of a process. */
export function cpuMsOf(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
}

/** Counts what all processes together of the PostgreSQL server use: each call begins, what it answers tells how much it was, in ms. */
export async function databaseCpu(db: Db): Promise<() => () => number> {
  const { rows } = (await db.execute(sql`select pg_backend_pid() as pid`)) as unknown as { rows: { pid: number }[] };
  return cpuOfServer(rows[0]?.pid ?? 0);
}

/** The same of the server that a process is a connection of. */
export function cpuOfServer(backend: number): () => () => number {
  const server = fieldsOf(backend)[PARENT];
  const isOf = (pid: number) => String(pid) === server || fieldsOf(pid)[PARENT] === server;
  const used = () => new Map(pids().flatMap((pid) => (isOf(pid) ? [[pid, cpuMsOf(pid)]] : [])));
  return () => {
    const before = used();
    // Connections come and go, and their processes with them.
    return () => [...used()].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
  };
}

function pids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function fieldsOf(pid: number): string[] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
