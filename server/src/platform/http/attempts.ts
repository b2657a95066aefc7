import { isIPv6 } from 'node:net';
import type { Clock } from '../runtime/runtime.ts';
import { TooMany } from './errors.ts';

/** Not more than `count` in any `windowMs`. */
export type Limit = { count: number; windowMs: number };

export type Attempts = {
  /** Milliseconds until `key` may be counted again; 0 when it may now. */
  waitMs: (key: string) => number;
  count: (key: string) => void;
  forget: (key: string) => void;
};

/** Bounds the memory under a flood of keys; the oldest are dropped. */
const KEYS_MAX = 10_000;

export function countAttempts(clock: Clock, { count, windowMs }: Limit): Attempts {
  const instants = new Map<string, number[]>();
  const recent = (key: string) => (instants.get(key) ?? []).filter((instant) => instant > clock.now() - windowMs);
  return {
    waitMs: (key) => {
      const [oldest, ...others] = recent(key).slice(-count);
      return oldest === undefined || others.length < count - 1 ? 0 : oldest + windowMs - clock.now();
    },
    count: (key) => {
      const counted = [...recent(key), clock.now()];
      instants.delete(key);
      instants.set(key, counted);
      const [oldestKey] = instants.keys();
      if (instants.size > KEYS_MAX && oldestKey !== undefined) instants.delete(oldestKey);
    },
    forget: (key) => void instants.delete(key),
  };
}

/** The key under which attempts from an address count: of an IPv6 address the first half, because a machine can choose the second anew. */
export function networkOf(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** @throws TooMany while `key` must wait; it says for how long. */
export function refuseTooMany(attempts: Attempts, key: string): void {
  const waitMs = attempts.waitMs(key);
  if (waitMs > 0) throw new TooMany('Too many attempts. Try again later.', Math.ceil(waitMs / 1000));
}
