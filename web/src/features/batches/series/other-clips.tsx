import { formatShares } from '@dutchbook/units/shares.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../../calls/loaded.tsx';
import { Beneath } from '../../../ui/panel.tsx';
import styles from '../batch-columns.module.css';
import { clipsQuery } from '../batch-queries.ts';
import { ActualProfit, BatchStatusBadge } from '../batch-values.tsx';
import { seriesWords } from './series-words.ts';

/** The row of the first clip of a series opens into all of them; they are read once somebody opens it. */
export function OtherClips({ seriesId }: { seriesId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const read = useQuery({ ...clipsQuery(seriesId), enabled: isOpen });
  return (
    <details className={styles.clips} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <Beneath>Clips</Beneath>
      </summary>
      {isOpen && (
        <Loaded of={read} text="Error loading the clips" inline height={24}>
          {({ data: clips }) => (
            <>
              <p>{seriesWords(clips)}</p>
              <ul>
                {clips.map((clip) => (
                  <li key={clip.id}>
                    <Link to="/batches/$batchId" params={{ batchId: clip.id }}>
                      {`Clip ${clip.clip_number ?? ''}`}
                    </Link>{' '}
                    {formatShares(clip.order_size)} sh <BatchStatusBadge of={clip} /> <ActualProfit of={clip} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </Loaded>
      )}
    </details>
  );
}
