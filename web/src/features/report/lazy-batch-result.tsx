import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useRef } from 'react';
import { Panel } from '../../ui/panel.tsx';
import { useOnScreen } from '../../ui/use-on-screen.ts';

/** Fetched once it comes into sight, below what a batch that runs is looked at for. */
const BatchResult = lazy(() =>
  import('./batch-result-panel.tsx').then(
    (code) => ({ default: code.BatchResult }),
    () => ({ default: NotLoaded }),
  ),
);

function NotLoaded() {
  return <p className="hint">This part of the page could not be loaded. Reload the page once you are connected.</p>;
}

/** What a batch promised and its result. */
export function LazyBatchResult({ id }: { id: string }) {
  const { target, onScreen } = useOnScreen<HTMLDivElement>();
  const wasSeen = useRef(false);
  wasSeen.current ||= onScreen;
  return (
    <div ref={target}>
      <Panel title="Predicted and Realised">
        {wasSeen.current ? (
          <Suspense fallback={<Skeleton height={180} />}>
            <BatchResult id={id} />
          </Suspense>
        ) : (
          <Skeleton height={180} />
        )}
      </Panel>
    </div>
  );
}
