/** Shared by the commands about recorded time: how a time is written, and the error for a command line that is wrong. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Thrown for a command line that cannot be carried out; its message says how to write it. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** Joins `--from` and `--until` with the time after them by `=`: the parser would take a time such as `-2h` for an option. */
export function withTimesJoined(args: readonly string[]): string[] {
  const all: string[] = [];
  for (const arg of args) {
    const last = all.at(-1);
    if (last === '--from' || last === '--until') all[all.length - 1] = `${last}=${arg}`;
    else all.push(arg);
  }
  return all;
}

/** `-2h` is two hours ago. @throws CommandRefused */
export function timeOf(text: string, now: Instant): Instant {
  const [, amount, unit] = /^-(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  if (amount !== undefined)
    return instantFromMs(Math.round(now - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]));
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new CommandRefused(`${text} is no time: say 2026-11-26T14:00:00Z, or -2h for two hours ago.`);
  return instantFromMs(ms);
}
