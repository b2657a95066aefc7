import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

const Panel = lazy(() => import('./second-factor-panel.tsx').then((code) => ({ default: code.SecondFactorPanel })));

/** Fetched when its tab is opened: it draws QR codes, which nothing else on the page does. */
export function SecondFactorPanel() {
  return (
    <Suspense fallback={<Skeleton height={160} />}>
      <Panel />
    </Suspense>
  );
}
