import { MEMBERS_MAX } from '@dutchbook/contract/discovery/decisions.ts';
import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorText } from '../../../calls/api-error.ts';
import { ErrorBar } from '../../../ui/states.tsx';
import { marketSearchQuery, STILL_READING } from '../../opportunities/add/add-queries.ts';
import { focusFirst, moveByArrow } from '../../opportunities/add/arrow-keys.ts';
import styles from './add-relation-dialog.module.css';
import type { Chosen } from './chosen-members.tsx';

const SEARCH_DELAY_MS = 250;
const PAGE = 20;

type MemberSearchProps = { chosen: readonly Chosen[]; onChoose: (chosen: readonly Chosen[]) => void };

/** What the venue offers, found by words; a market is added or taken out again by pressing its button. */
export function MemberSearch({ chosen, onChoose }: MemberSearchProps) {
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
        onKeyDown={(event) => {
          // Enter asks for what is typed, and sends nothing.
          if (event.key === 'Enter') event.preventDefault();
          focusFirst(event, results.current);
        }}
        data-autofocus
      />
      <p className={styles.muted} role="status">
        {data && countInWords(data.data.length, data.count)}
      </p>
      {data?.still_reading === true && <p className={styles.muted}>{STILL_READING}</p>}
      {error && <ErrorBar text={errorText(error)} onRetry={() => refetch()} retrying={isFetching} />}
      <section
        ref={results}
        aria-label="Markets"
        className={styles.results}
        data-outdated={isPlaceholderData}
        onKeyDown={(event) => moveByArrow(event, results.current)}
      >
        {data === undefined && !error && <Skeleton height={220} />}
        {[...events].map(([id, markets]) => (
          <EventMarkets key={id} markets={markets} chosen={chosen} onChoose={onChoose} />
        ))}
        {data !== undefined && data.count > data.data.length && limit < 1_000 && (
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

function EventMarkets({ markets, chosen, onChoose }: MemberSearchProps & { markets: readonly MarketReply[] }) {
  const event = markets[0]?.event;
  const isChosen = (id: string) => chosen.some((member) => member.id === id);
  const left = markets.filter(({ id, accepting_orders }) => accepting_orders && !isChosen(id));
  const add = (some: readonly Chosen[]) => onChoose([...chosen, ...some].slice(0, MEMBERS_MAX));
  return (
    <div className={styles.event}>
      {event && (
        <div className={styles.head} data-row>
          <h3>{event.title}</h3>
          {left.length > 1 && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Add all ${left.length} shown: ${event.title}`}
              onClick={() => add(left)}
            >
              Add All {left.length}
            </Button>
          )}
        </div>
      )}
      <ul>
        {markets.map((market) => {
          const { id, question, accepting_orders } = market;
          const word = isChosen(id) ? 'Added' : 'Add';
          return (
            <li key={id} className={styles.market} data-row>
              <p>{question}</p>
              <Button
                size="compact-sm"
                variant={isChosen(id) ? 'filled' : 'default'}
                aria-pressed={isChosen(id)}
                aria-label={`${word} Member: ${question}`}
                disabled={!accepting_orders}
                onClick={() => (isChosen(id) ? onChoose(chosen.filter((member) => member.id !== id)) : add([market]))}
              >
                {word}
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function countInWords(shown: number, count: number): string {
  if (count === 0) return 'No open market has these words in its question or event.';
  return shown < count ? `${shown} of ${count} markets: search, or show more below` : `${count} markets`;
}
