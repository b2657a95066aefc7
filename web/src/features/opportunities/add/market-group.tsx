import type { LeftOutMarketReply, MarketReply } from '@dutchbook/contract/markets.ts';
import { Button, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toastFailure } from '../../../calls/toast-failure.tsx';
import { useQuestion } from '../../../ui/dialog.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { FLAG_WORDS } from '../flag-words.ts';
import { eventMarketsQuery } from './add-queries.ts';
import { type EventSide, isSame } from './draft.ts';
import styles from './market-group.module.css';
import type { DraftState } from './use-draft.ts';

type MarketGroupProps = {
  /** Markets of one event, or a single market without one. */
  markets: readonly MarketReply[];
  state: DraftState;
  onPick: (market: MarketReply, outcome: string) => void;
};

/** The markets of one event that were found, and where exactly one of its outcomes wins, the sets over all of it. */
export function MarketGroup({ markets, state, onPick }: MarketGroupProps) {
  const [first] = markets;
  const event = first?.event;
  return (
    <div className={styles.group}>
      {event && (
        <div className={styles.head}>
          <h3>{event.title}</h3>
          {first.neg_risk && <WholeEventButtons event={event} state={state} />}
        </div>
      )}
      <ul>
        {markets.map((market) => (
          <MarketLine key={market.id} market={market} state={state} onPick={onPick} />
        ))}
      </ul>
    </div>
  );
}

const SIDES: readonly EventSide[] = ['YES', 'NO'];

function WholeEventButtons({ event, state }: { event: NonNullable<MarketReply['event']>; state: DraftState }) {
  const client = useQueryClient();
  const [reading, setReading] = useState(false);
  const { ask, question } = useQuestion();
  const take = async (side: EventSide) => {
    setReading(true);
    try {
      state.takeWholeEvent(await client.fetchQuery(eventMarketsQuery(event.id)), side);
    } catch (error) {
      toastFailure(error);
    } finally {
      setReading(false);
    }
  };
  const begin = (side: EventSide) => {
    if (state.draft.positions.length === 0 || state.wholeEvent !== undefined) void take(side);
    else ask({ title: 'Replace Positions', text: REPLACE, confirm: 'Replace' }, () => void take(side));
  };
  return (
    <fieldset className={styles.whole} data-row>
      <legend>
        Whole event<span className="visually-hidden"> {event.title}</span>
      </legend>
      {SIDES.map((side) => (
        <Button key={side} size="compact-xs" variant="default" onClick={() => begin(side)}>
          {side} on all
        </Button>
      ))}
      {/* A button that shows it itself would be disabled meanwhile, and lose the focus. */}
      {reading && <Loader size={14} />}
      {question}
      {event.augmented && (
        <p className={styles.augmented}>
          <StatusBadge tone="warning">Augmented event</StatusBadge> An outcome that is not listed may win: then YES on
          all pays nothing.
        </p>
      )}
    </fieldset>
  );
}

const REPLACE = 'Replace the positions that you have picked?';

type MarketLineProps = Omit<MarketGroupProps, 'markets'> & { market: MarketReply };

function MarketLine({ market, state, onPick }: MarketLineProps) {
  const { id, question, outcomes, end_date, accepting_orders, resolution } = market;
  return (
    <li className={styles.market} data-row data-closed={!accepting_orders}>
      <div>
        <p>{question}</p>
        <p className={styles.ends}>
          {!accepting_orders && <StatusBadge tone="inactive">Closed</StatusBadge>}
          {resolution !== null && (
            <StatusBadge tone="warning">{FLAG_WORDS[`resolution_${resolution}`].label}</StatusBadge>
          )}
          {end_date !== null && (
            <span>
              Ends <LocalTime at={end_date} />
            </span>
          )}
        </p>
      </div>
      <div className={styles.outcomes}>
        {outcomes.map(({ outcome }) => {
          const picked = state.draft.positions.some((position) => isSame(position, { id, outcome }));
          return (
            <Button
              key={outcome}
              size="compact-sm"
              variant={picked ? 'filled' : 'default'}
              aria-pressed={picked}
              aria-label={`${outcome}: ${question}`}
              disabled={!accepting_orders}
              onClick={() => onPick(market, outcome)}
            >
              {outcome}
            </Button>
          );
        })}
      </div>
    </li>
  );
}

type LeftOutMarketsProps = { markets: { data: readonly LeftOutMarketReply[]; count: number } };

/** Markets that have the words as well and cannot be picked, each with the reason. */
export function LeftOutMarkets({ markets: { data, count } }: LeftOutMarketsProps) {
  return (
    <div className={styles.group}>
      <div className={styles.head}>
        <h3 id="left-out-markets">Cannot be traded here</h3>
      </div>
      <ul aria-labelledby="left-out-markets">
        {data.map(({ id, question, event, reason }) => (
          <li key={id} className={styles.market} aria-disabled>
            <div>
              <p>{question || id}</p>
              <p className={styles.reason}>
                {event && `${event.title}: `}
                {reason}
              </p>
            </div>
            <StatusBadge tone="inactive">Left out</StatusBadge>
          </li>
        ))}
        {count > data.length && <li className={styles.market}>and {count - data.length} more</li>}
      </ul>
    </div>
  );
}
