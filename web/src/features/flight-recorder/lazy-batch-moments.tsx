import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useRef } from 'react';
import { Panel } from '../../ui/panel.tsx';
import { useOnScreen } from '../../ui/use-on-screen.ts';
import { orNotLoaded } from './not-loaded.tsx';

const BatchMoments = lazy(() => orNotLoaded(import('./batch-moments.tsx').then((code) => code.BatchMoments)));

/** Below what a batch that runs is looked at for: fetched once it comes into sight. */
export function LazyBatchMoments({ id }: { id: string }) {
  const { target, onScreen } = useOnScreen<HTMLDivElement>();
  const wasSeen = useRef(false);
  wasSeen.current ||= onScreen;
  const room = <Skeleton height={320} />;
  return (
    <div ref={target}>
      <Panel title="Books Then">
        {wasSeen.current ? (
          <Suspense fallback={room}>
            <BatchMoments id={id} />
          </Suspense>
        ) : (
          room
        )}
      </Panel>
    </div>
  );
}
