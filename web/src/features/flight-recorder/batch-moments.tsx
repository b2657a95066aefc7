import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { EVENT_WORDS } from '../batches/timeline-groups.ts';
import { batchMomentsQuery } from './moment-queries.ts';
import { MomentsView } from './moments-view.tsx';
import { groupedMarks } from './playing.ts';

/** The books of a batch's legs from before its trigger to after its last answer. */
export function BatchMoments({ id }: { id: string }) {
  return (
    <Loaded of={useQuery(batchMomentsQuery(id))} text="Error loading the books" inline height={320}>
      {(answer) => <Kept of={answer} />}
    </Loaded>
  );
}

type Answer = Awaited<ReturnType<NonNullable<ReturnType<typeof batchMomentsQuery>['queryFn']>>>;

function Kept({ of: { state, from, until, legs, moments, unknown, events, next } }: { of: Answer }) {
  const marks = useMemo(
    () => groupedMarks(events.map(({ at, event }) => ({ at, text: EVENT_WORDS[event].text }))),
    [events],
  );
  if (state === 'waiting')
    return <EmptyState icon="batches" text="The books are kept a few seconds after the batch’s last answer." />;
  if (state === 'missing' || from === null || until === null)
    return (
      <EmptyState
        icon="batches"
        text="No books were kept of this batch: nothing was recorded then, or they are not kept any more."
      />
    );
  const span = { from, until: next ?? until };
  return <MomentsView {...{ legs, moments, unknown, span, marks }} at={marks[0]?.at ?? from} />;
}
