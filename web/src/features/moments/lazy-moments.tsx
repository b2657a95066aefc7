/** The parts of pages that show the past: fetched once they come into sight, or are asked for. */
import { Skeleton } from '@mantine/core';
import { type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react';
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

type InSightProps = { height: number; isAsked: boolean; children: ReactNode };

function InSight({ height, isAsked, children }: InSightProps) {
  const { target, onScreen } = useOnScreen<HTMLDivElement>();
  const wasSeen = useRef(false);
  wasSeen.current ||= onScreen || isAsked;
  const room = <Skeleton height={height} />;
  return <div ref={target}>{wasSeen.current ? <Suspense fallback={room}>{children}</Suspense> : room}</div>;
}

export function LazyBatchMoments({ id }: { id: string }) {
  return (
    <Panel title="Books Then">
      <InSight height={320} isAsked={false}>
        <BatchMoments id={id} />
      </InSight>
    </Panel>
  );
}

export function LazyOpportunityLookBack(props: PickedMoment & { id: string }) {
  return (
    <InSight height={140} isAsked={props.at !== undefined}>
      <OpportunityLookBack {...props} />
    </InSight>
  );
}

export function LazyRelationLookBack(props: PickedMoment & { id: string }) {
  return (
    <InSight height={140} isAsked={props.at !== undefined}>
      <RelationLookBack {...props} />
    </InSight>
  );
}
