import { listBatchResults } from '@dutchbook/contract/batch-results.ts';
import { sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callQuery } from '../../../calls/call-query.ts';
import { Loaded } from '../../../calls/loaded.tsx';
import type { ResultRow } from './result-columns.tsx';
import styles from './results.module.css';

/** No series has more clips. */
const CLIPS_MAX = 1000;

/** The row of a series opens into its clips, which are read once it is opened. */
export function ClipsOf({ row: { clips: count }, seriesId }: { row: ResultRow; seriesId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const query = { series_id: seriesId, skip: 0, limit: CLIPS_MAX, sort_by: 'clip_number', sort_order: 'asc' } as const;
  const read = useQuery({
    ...callQuery(['report', 'clips', seriesId], listBatchResults, { query }),
    enabled: isOpen,
  });
  return (
    <details className={styles.clips} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{count} clips</summary>
      {isOpen && (
        <Loaded of={read} text="Error loading the clips" inline height={24}>
          {({ data }) => (
            <ul>
              {data.map((clip) => (
                <li key={clip.batch_id}>
                  <Link to="/batches/$batchId" params={{ batchId: clip.batch_id }}>
                    {`Clip ${clip.clip_number ?? ''}`}
                  </Link>{' '}
                  {sizeWords(clip.size, clip.size_bounded_by)}: {formatUsd(clip.predicted_usd)} predicted,{' '}
                  {formatUsd(clip.paid_usd)} paid, {formatUsd(clip.locked_usd)} locked
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      )}
    </details>
  );
}
