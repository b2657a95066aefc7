import { settingWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { readSeries, type Series, type SeriesPause } from '@dutchbook/contract/placing.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useCallback } from 'react';
import { callQuery } from '../../../calls/call-query.ts';
import { readAgain } from '../../../calls/read-again.ts';
import { useReadSoon } from '../../../live/read-soon.ts';
import { Panel } from '../../../ui/panel.tsx';

/** The last series of an opportunity. */
export function useSeries(opportunityId: string): Series | null | undefined {
  const key = ['series', opportunityId];
  const client = useQueryClient();
  const matters = useCallback(
    ({ type, id, data }: Change) =>
      (type === 'batch' && data.opportunity_id === opportunityId) || (type === 'opportunity' && id === opportunityId),
    [opportunityId],
  );
  const refresh = useCallback(() => void readAgain(client, ['series', opportunityId]), [client, opportunityId]);
  useReadSoon(matters, refresh);
  return useQuery(callQuery(key, readSeries, { params: { opportunity_id: opportunityId } })).data?.series;
}

const NEXT_RISE = 'The next rise above the trigger begins another series.';

const PAUSE_WORDS: Readonly<Record<Exclude<SeriesPause, 'uneven'>, string>> = {
  'switched off': 'No further clip: sizes are the smallest, or automatic placing is off.',
  'under way': 'The last clip is being bought.',
  'not whole': `No further clip: the last one was not filled whole. ${NEXT_RISE}`,
  canceled: `No further clip: the last one was canceled. ${NEXT_RISE}`,
  disarmed: `No further clip: trading was disarmed after the last one. ${NEXT_RISE}`,
  'clips max': `No further clip: there are as many as ${settingWords('CLIPS_MAX')} allows. ${NEXT_RISE}`,
  quiet: `No further clip: nothing was bought for an hour. ${NEXT_RISE}`,
  inactive: 'No further clip: the opportunity is not active.',
  'below trigger': `No further clip: the profit has fallen below the trigger. ${NEXT_RISE}`,
};

/** Why no further clip is bought. */
export function SeriesPauseText({ of: { pause, uneven } }: { of: Series }) {
  if (pause === null) return <p>The next clip is bought as soon as no gate refuses it.</p>;
  if (pause !== 'uneven') return <p>{PAUSE_WORDS[pause]}</p>;
  return (
    <p>
      No further clip until these hold whole sets again or are sold:{' '}
      {uneven.map(({ batch_id: batchId, clip_number: number, worst_loss_usd: loss }, place) => (
        <Fragment key={batchId}>
          {place > 0 && ', '}
          <Link to="/batches/$batchId" params={{ batchId }}>
            {number === null ? 'a clip' : `clip ${number}`}
          </Link>{' '}
          ({formatUsd(loss)} at risk)
        </Fragment>
      ))}
      .
    </p>
  );
}

/** On the page of an opportunity that was bought in clips. */
export function SeriesStanding({ opportunityId }: { opportunityId: string }) {
  const series = useSeries(opportunityId);
  if (series == null) return null;
  const { clips, clips_max: most, spent_usd: spent, series_id: batchId } = series;
  return (
    <Panel title="Series">
      <p>
        <Link to="/batches/$batchId" params={{ batchId }}>
          {clips === 1 ? '1 clip' : `${clips} clips`}
        </Link>{' '}
        of at most {most}, {formatUsd(spent)} spent.
      </p>
      <SeriesPauseText of={series} />
    </Panel>
  );
}
