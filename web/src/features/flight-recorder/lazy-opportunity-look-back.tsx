import { lazy } from 'react';
import type { PickedMoment } from './look-back.tsx';
import { orNotLoaded } from './not-loaded.tsx';
import { OpenedLookBack } from './opened-look-back.tsx';

const OpportunityLookBack = lazy(() =>
  orNotLoaded(import('./opportunity-look-back.tsx').then((code) => code.OpportunityLookBack)),
);

export function LazyOpportunityLookBack(props: PickedMoment & { id: string }) {
  return (
    <OpenedLookBack at={props.at}>
      <OpportunityLookBack {...props} />
    </OpenedLookBack>
  );
}
