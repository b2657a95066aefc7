import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { Panel } from '../../ui/panel.tsx';
import type { PickedMoment } from './look-back.tsx';

/** What looks back is fetched once a moment is asked for. */
export function OpenedLookBack({ at, children }: Pick<PickedMoment, 'at'> & { children: ReactNode }) {
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
