import type { LegOfMoments, MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type ReactNode, useMemo, useState } from 'react';
import { LegBook } from './leg-book.tsx';
import styles from './moments-view.module.css';
import { legsAtEach, type Mark, placeAt, type Span } from './playing.ts';
import { Scrubber, type UnknownSpan } from './scrubber.tsx';

type Stated = { at: Instant; legs: readonly MomentLeg[] };

type MomentsViewProps<Moment extends Stated> = {
  legs: readonly LegOfMoments[];
  moments: readonly Moment[];
  unknown: readonly UnknownSpan[];
  span: Span;
  /** Where to begin. */
  at: Instant;
  marks?: readonly Mark[];
  /** What stands above the books. */
  children?: (moment: Moment) => ReactNode;
};

const NO_MARKS: readonly Mark[] = [];

/** The books of all legs side by side, at whichever moment one goes to. */
export function MomentsView<Moment extends Stated>(props: MomentsViewProps<Moment>) {
  const { legs, moments, unknown, span, marks = NO_MARKS, children } = props;
  const [at, setAt] = useState(props.at);
  const legsThen = useMemo(() => legsAtEach(moments), [moments]);
  const place = placeAt(moments, at);
  const moment = moments[place];
  return (
    <>
      <Scrubber {...{ span, at, moments, marks, unknown }} onMove={setAt} />
      {moment !== undefined && children?.(moment)}
      <div className={styles.books}>
        {legs.map((leg, index) => {
          const stood = legsThen[place]?.[index];
          const key = `${leg.leg} ${leg.market_id} ${leg.outcome}`;
          return stood && <LegBook key={key} leg={leg} stood={stood} before={legsThen[place - 1]?.[index]} />;
        })}
      </div>
    </>
  );
}
