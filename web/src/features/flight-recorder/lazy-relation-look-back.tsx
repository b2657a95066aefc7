import { lazy } from 'react';
import type { PickedMoment } from './look-back.tsx';
import { orNotLoaded } from './not-loaded.tsx';
import { OpenedLookBack } from './opened-look-back.tsx';

const RelationLookBack = lazy(() =>
  orNotLoaded(import('./relation-look-back.tsx').then((code) => code.RelationLookBack)),
);

export function LazyRelationLookBack(props: PickedMoment & { id: string }) {
  return (
    <OpenedLookBack at={props.at}>
      <RelationLookBack {...props} />
    </OpenedLookBack>
  );
}
