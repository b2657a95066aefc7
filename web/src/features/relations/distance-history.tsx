import type { DistancePoint } from '@dutchbook/contract/relations.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useMemo } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { Chart, ChartTable } from '../../ui/chart.tsx';
import { secondWords } from '../../ui/date-format.ts';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { evenly } from '../opportunities/evenly.ts';
import { distanceDrawing, distanceSummary } from './distance-drawing.ts';
import { useDistances } from './relation-queries.ts';
import { inCents } from './relation-words.ts';

const NAME = 'Distance from paying';
const HEADERS = ['Time', 'Distance', 'Dollars'];
const ROWS_MAX = 25;

/** How far a relation was from paying, as far back as it is kept. */
export function DistanceHistory({ id, onPick }: { id: string; onPick: (atMs: number) => void }) {
  return (
    <Panel title="Distance over Time">
      <Loaded of={useDistances(id)} text="Error loading the distances" height={316}>
        {({ data }) => <Distances points={data} onPick={onPick} />}
      </Loaded>
    </Panel>
  );
}

function Distances({ points, onPick }: { points: readonly DistancePoint[]; onPick: (atMs: number) => void }) {
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
    <Chart
      name={NAME}
      drawing={drawing}
      onPick={onPick}
      formatX={(at) => secondWords(at)}
      summary={distanceSummary(points)}
      table={<ChartTable label={NAME} headers={HEADERS} rows={evenly(points, ROWS_MAX).toReversed().map(rowOf)} />}
    />
  );
}

function rowOf({ at, distance, profit_usd }: DistancePoint) {
  const words = distance < 0 ? `pays ${inCents(distance)}` : `${inCents(distance)} away`;
  return { key: at, cells: [secondWords(at), words, formatUsd(profit_usd)] };
}
