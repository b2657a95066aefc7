import { Skeleton } from '@mantine/core';
import { type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react';
import { Panel } from './panel.tsx';
import { useOnScreen } from './use-on-screen.ts';

function NotLoaded() {
  return <p className="hint">This part of the page could not be loaded. Reload the page once you are connected.</p>;
}

/** A part of a page whose code is fetched when it is first drawn; it says so where the code cannot be had. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: NotLoaded as ComponentType<Props> }),
    ),
  );
}

/** `marginPx`: how close to the screen it counts as in sight. */
type PanelInSightProps = { title: string; height: number; marginPx?: number; children: ReactNode };

/** A panel below what a page is looked at for: its content is drawn once it comes into sight. */
export function PanelInSight({ title, height, marginPx, children }: PanelInSightProps) {
  const { target, onScreen } = useOnScreen<HTMLDivElement>(marginPx);
  const wasSeen = useRef(false);
  wasSeen.current ||= onScreen;
  const room = <Skeleton height={height} />;
  return (
    <div ref={target}>
      <Panel title={title} folds>
        {wasSeen.current ? <Suspense fallback={room}>{children}</Suspense> : room}
      </Panel>
    </div>
  );
}
