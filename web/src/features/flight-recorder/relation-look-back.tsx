import type { RelationMoment } from '@dutchbook/contract/flight-recorder.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Figures } from '../../ui/panel.tsx';
import { inCents } from '../relations/relation-words.ts';
import { LookBack, type PickedMoment } from './look-back.tsx';
import { relationMomentsQuery } from './moment-queries.ts';
import { MomentsAround } from './moments-around.tsx';

/** A relation as it was at a moment of the past: its books, and how far it was from paying. */
export function RelationLookBack({ id, ...picked }: PickedMoment & { id: string }) {
  return <LookBack {...picked}>{(at) => <Then key={at} id={id} at={at} />}</LookBack>;
}

function Then({ id, at }: { id: string; at: Instant }) {
  return (
    <MomentsAround at={at} read={useQuery(relationMomentsQuery(id, at))}>
      {(moment) => <Said of={moment} />}
    </MomentsAround>
  );
}

function Said({ of: { distance_usd: distance, profit_usd: profit, size } }: { of: RelationMoment }) {
  return (
    <Figures
      figures={[
        { name: 'Distance', value: distanceWords(distance) },
        { name: 'Profit', value: profit === null ? '–' : formatUsd(profit) },
        { name: 'At the Size of', value: size === null ? '–' : `${formatShares(size)} sh` },
      ]}
    />
  );
}

function distanceWords(distance: RelationMoment['distance_usd']): string {
  if (distance === null) return 'Not known';
  return distance < 0 ? `pays ${inCents(distance)}` : `${inCents(distance)} away`;
}
