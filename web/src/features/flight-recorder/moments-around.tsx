import type { LegOfMoments, MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { MomentsView } from './moments-view.tsx';
import type { Span } from './playing.ts';
import type { UnknownSpan } from './scrubber.tsx';

type Around<Moment> = {
  legs: readonly LegOfMoments[];
  moments: readonly Moment[];
  unknown: readonly UnknownSpan[];
  span: Span;
  /** Where reading ended: what changes too often is not read to its end. */
  next: Instant | null;
};

type MomentsAroundProps<Moment> = {
  at: Instant;
  read: UseQueryResult<Around<Moment>>;
  /** What stands above the books. */
  children: (moment: Moment) => ReactNode;
};

/** The books around a moment, or that none was recorded. */
export function MomentsAround<Moment extends { at: Instant; legs: readonly MomentLeg[] }>(
  props: MomentsAroundProps<Moment>,
) {
  const { at, read, children } = props;
  return (
    <Loaded of={read} text="Error loading the moments" inline height={320}>
      {({ legs, moments, unknown, span: { from, until }, next }) =>
        moments.some((moment) => moment.legs.some(({ bids }) => bids !== null)) ? (
          <MomentsView {...{ legs, moments, unknown, at, children }} span={{ from, until: next ?? until }} />
        ) : (
          <EmptyState
            icon="search"
            text="No book was recorded around this moment."
            hint="Books are recorded of active opportunities, while RECORDING is on, and are kept for RECORDING_DAYS."
          />
        )
      }
    </Loaded>
  );
}
