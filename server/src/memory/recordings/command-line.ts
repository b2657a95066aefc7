/** What commands about recorded time have in common: how a time is written, and what is said of one that cannot be carried out. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What is wrong with what was asked; the message says how to ask. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** A time that begins with a dash is no option. */
export function joined(args: readonly string[]): string[] {
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
