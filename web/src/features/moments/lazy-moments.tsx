/** The parts of pages that show the past: fetched once they come into sight, or are asked for. */
import { Button, Skeleton } from '@mantine/core';
import { type ComponentType, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { Panel } from '../../ui/panel.tsx';
import { useOnScreen } from '../../ui/use-on-screen.ts';
import type { PickedMoment } from './look-back.tsx';

function NotLoaded() {
  return <p className="hint">This part of the page could not be loaded. Reload the page once you are connected.</p>;
}

const fetched = <Props,>(code: Promise<ComponentType<Props>>) =>
  code.then(
    (component) => ({ default: component }),
    () => ({ default: NotLoaded as ComponentType<Props> }),
  );

const BatchMoments = lazy(() => fetched(import('./batch-moments.tsx').then((code) => code.BatchMoments)));
const OpportunityLookBack = lazy(() =>
  fetched(import('./opportunity-look-back.tsx').then((code) => code.OpportunityLookBack)),
);
const RelationLookBack = lazy(() => fetched(import('./relation-look-back.tsx').then((code) => code.RelationLookBack)));

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

type LookBackProps = PickedMoment & { id: string };

/** Fetched once a moment is asked for. */
function Opened({ at, children }: Pick<LookBackProps, 'at'> & { children: ReactNode }) {
  const [isOpened, setOpened] = useState(false);
  if (isOpened || at !== undefined) return <Suspense fallback={<Skeleton height={140} />}>{children}</Suspense>;
  return (
    <Panel
      title="Look Back"
      aside={
        <Button size="compact-sm" variant="default" onClick={() => setOpened(true)}>
          Pick a Moment
        </Button>
      }
    >
      <p className="hint">Books of the past, as far as they are recorded. A click on the chart above picks a moment.</p>
    </Panel>
  );
}

export function LazyOpportunityLookBack(props: LookBackProps) {
  return (
    <Opened at={props.at}>
      <OpportunityLookBack {...props} />
    </Opened>
  );
}

export function LazyRelationLookBack(props: LookBackProps) {
  return (
    <Opened at={props.at}>
      <RelationLookBack {...props} />
    </Opened>
  );
}
