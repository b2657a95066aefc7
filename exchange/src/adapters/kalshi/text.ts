import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { microToText } from '@dutchbook/units/micro.ts';

/** Dollars as the venue writes them: at least four decimals, and more where there are more. */
export function dollars(micro: number): string {
  const [whole = '0', decimals = ''] = microToText(micro).split('.');
  return `${whole}.${decimals.padEnd(4, '0')}`;
}

/** Counts of contracts have two decimals. */
export function count(micro: number): string {
  const [whole = '0', decimals = ''] = microToText(micro).split('.');
  return `${whole}.${decimals.padEnd(2, '0').slice(0, 2)}`;
}

export function time(at: Instant): string {
  return instantToIso(at);
}

/** Whole seconds, as filters and expirations are written. */
export function seconds(at: Instant): number {
  return Math.floor(at / 1000);
}
