import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorText } from '../../../calls/api-error.ts';
import { ErrorBar } from '../../../ui/states.tsx';
import { marketSearchQuery, STILL_READING } from './add-queries.ts';
import { focusFirst, moveByArrow } from './arrow-keys.ts';
import { LeftOutMarkets, MarketGroup } from './market-group.tsx';
import styles from './market-search.module.css';
import type { DraftState } from './use-draft.ts';

const SEARCH_DELAY_MS = 250;
const PAGE = 12;
const LIMIT_MAX = 1_000;

type MarketSearchProps = { state: DraftState; onPick: (market: MarketReply, outcome: string) => void };

/** What the venue offers, found by words; its outcomes are picked by pressing them. */
export function MarketSearch({ state, onPick }: MarketSearchProps) {
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const results = useRef<HTMLDivElement>(null);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(marketSearchQuery(search, limit));
  const events = Map.groupBy(data?.data ?? [], ({ id, event }) => event?.id ?? id);
  return (
    <div className={styles.search}>
      <TextInput
        label="Search Markets"
        placeholder="Words of an event or a question"
        type="search"
        autoComplete="off"
        maxLength={200}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setLimit(PAGE);
        }}
        onKeyDown={(event) => focusFirst(event, results.current)}
        data-autofocus
      />
      <p className={styles.count} role="status">
        {data && countInWords(data.data.length, data.count)}
        <span className={styles.keys}>Arrow keys move between outcomes</span>
      </p>
      {error && <ErrorBar text={errorText(error)} onRetry={() => refetch()} retrying={isFetching} />}
      {data?.still_reading === true && <p className={styles.none}>{STILL_READING}</p>}
      {data?.count === 0 && <p className={styles.none}>No open market has these words in its question or event.</p>}
      <section
        ref={results}
        aria-label="Markets"
        className={styles.results}
        data-outdated={isPlaceholderData}
        onKeyDown={(event) => moveByArrow(event, results.current)}
      >
        {data === undefined && !error && <Skeleton height={220} />}
        {[...events].map(([id, markets]) => (
          <MarketGroup key={id} markets={markets} state={state} onPick={onPick} />
        ))}
        {data !== undefined && data.left_out.count > 0 && <LeftOutMarkets markets={data.left_out} />}
        {data !== undefined && data.count > data.data.length && limit < LIMIT_MAX && (
          <div className={styles.more} data-row>
            <Button size="compact-sm" variant="default" onClick={() => setLimit(limit + 2 * PAGE)}>
              Show More
            </Button>
          </div>
        )}
      </section>
    </div>
  );
}

function countInWords(shown: number, count: number): string {
  return shown < count ? `${shown} of ${count} markets: search, or show more below` : `${count} markets`;
}
