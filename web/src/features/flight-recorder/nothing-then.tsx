import type { MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/states.tsx';
import type { Span } from './playing.ts';

type NothingThenProps = { moments: readonly { legs: readonly MomentLeg[] }[]; children: ReactNode };

/** What is there of a moment, or that no book was recorded around it. */
export function NothingThen({ moments, children }: NothingThenProps) {
  const hasBooks = moments.some(({ legs }) => legs.some(({ bids }) => bids !== null));
  if (hasBooks) return children;
  return (
    <EmptyState
      icon="search"
      text="No book was recorded around this moment."
      hint="Books are recorded of active opportunities, while RECORDING is on, and are kept for RECORDING_DAYS."
    />
  );
}

/** Until where it was read: what changes too often is not read to its end. */
export function shownSpan({ from, until }: Span, next: Instant | null): Span {
  return { from, until: next ?? until };
}
