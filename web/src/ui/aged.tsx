import type { Instant } from '@dutchbook/units/instant.ts';
import type { ReactNode } from 'react';
import { Outdated } from './signed.tsx';
import { useByNow } from './use-now.ts';

/** What is read again every few seconds and is older than this has not been followed by a newer answer. */
const FRESH_MS = 20_000;

/** Whether figures that are read again every few seconds are not of now. */
export function useIsAged(at: Instant | null): boolean {
  return useByNow((nowMs) => (at !== null && nowMs - at > FRESH_MS ? 1 : 0)) === 1;
}

/** A figure of `at` that is grey once it is too old. `dated`: it says then when it was. */
export function Aged({ at, dated = false, children }: { at: Instant | null; dated?: boolean; children: ReactNode }) {
  const isAged = useIsAged(at);
  if (at === null || !isAged) return children;
  return <Outdated {...(dated && { at })}>{children}</Outdated>;
}
