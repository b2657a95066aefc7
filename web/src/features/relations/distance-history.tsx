import type { DistancePoint, RelationReply } from '@dutchbook/contract/relations.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useMemo } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { Chart, ChartTable } from '../../ui/chart.tsx';
import { secondWords } from '../../ui/date-format.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useByNow } from '../../ui/use-now.ts';
import { evenly } from '../opportunities/evenly.ts';
import { distanceDrawing, distanceSummary, throughNow } from './distance-drawing.ts';
import { useDistances } from './relation-queries.ts';
import { inCents } from './relation-words.ts';

const NAME = 'Distance from paying';
const HEADERS = ['Time', 'Distance', 'Dollars'];
const ROWS_MAX = 25;
const REDRAWN_MS = 15_000;

/** How far a relation was from paying, as far back as it is kept. */
export function DistanceHistory({ of: relation, onPick }: { of: RelationReply; onPick: (atMs: number) => void }) {
  return (
    <Panel title="Distance over Time" folds>
      <Loaded of={useDistances(relation.id)} text="Error loading the distances" height={316}>
        {({ data }) => <Distances read={data} of={relation} onPick={onPick} />}
      </Loaded>
    </Panel>
  );
}

type DistancesProps = { read: readonly DistancePoint[]; of: RelationReply; onPick: (atMs: number) => void };

function Distances({ read, of: { distance, profit_usd, outdated, last_hit_at: paidUntil }, onPick }: DistancesProps) {
  const now = useByNow((ms) => ms - (ms % REDRAWN_MS));
  const isPriced = distance !== null && outdated === null;
  const points = useMemo(
    () => throughNow(read, isPriced ? { at: now, distance, profit_usd, paidUntil } : null),
    [read, now, isPriced, distance, profit_usd, paidUntil],
  );
  const last = points.at(-1)?.at;
  const drawing = useMemo(() => distanceDrawing(points), [points]);
  if (points.length === 0)
    return (
      <EmptyState
        icon="search"
        text="No distances recorded yet"
        hint="A distance is recorded when it has changed, while the relation can be priced."
      />
    );
  return (
    <>
      {!isPriced && last !== undefined && (
        <p className="hint">
          Up to <LocalTime at={last} />: it is not priced now.
        </p>
      )}
      <Chart
        name={NAME}
        drawing={drawing}
        onPick={onPick}
        formatX={(at) => secondWords(at)}
        summary={distanceSummary(points)}
        table={<ChartTable label={NAME} headers={HEADERS} rows={evenly(points, ROWS_MAX).toReversed().map(rowOf)} />}
      />
    </>
  );
}

function rowOf({ at, distance, profit_usd }: DistancePoint) {
  const words = distance < 0 ? `pays ${inCents(distance)}` : `${inCents(distance)} away`;
  return { key: at, cells: [secondWords(at), words, formatUsd(profit_usd)] };
}
