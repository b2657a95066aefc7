import type { Batch } from '@dutchbook/contract/batches.ts';
import type { TimelineEntry } from '@dutchbook/contract/execution.ts';
import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { exactTime, LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Hash } from '../chain-steps/submission-values.tsx';
import { batchTimelineQuery } from './batch-queries.ts';
import styles from './batch-timeline.module.css';
import { delayWords } from './delay-words.ts';
import {
  countWords,
  EVENT_WORDS,
  type EventGroup,
  groupEvents,
  hashIn,
  isOfChain,
  offsetMs,
} from './timeline-groups.ts';

/**
 * What happened to a batch, from its decision to its last fill, each with how long after the decision it came. A step of several
 * orders is one line, which unfolds into them.
 */
export function BatchTimeline({ of: { id } }: { of: Batch }) {
  return (
    <Panel title="Timeline">
      <Loaded of={useQuery(batchTimelineQuery(id))} text="Error loading timeline" inline height={180}>
        {({ data }) => <Events entries={data} />}
      </Loaded>
    </Panel>
  );
}

function Events({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className={styles.events} aria-label="Timeline">
      {groupEvents(entries).map((group) => (
        <Event key={`${group.event} ${group.at} ${group.entries[0]?.order_id}`} group={group} all={entries} />
      ))}
    </ol>
  );
}

function Event({ group, all }: { group: EventGroup; all: readonly TimelineEntry[] }) {
  const { event, at, entries } = group;
  const { text, tone } = EVENT_WORDS[event];
  const several = entries.length > 1;
  const head = (
    <span className={styles.head}>
      <strong>{text}</strong>
      {several && <span>{countWords(group, all)}</span>}
      {event === 'decided' && <LocalTime at={at} />}
    </span>
  );
  return (
    <li data-tone={tone}>
      <Offset all={all} at={at} />
      {several ? (
        <details>
          <summary>{head}</summary>
          <ul>
            {entries.map((entry) => (
              <li key={`${entry.order_id} ${entry.at} ${entry.size}`}>
                <Particulars of={entry}>{entry.at !== at && <Offset all={all} at={entry.at} />}</Particulars>
              </li>
            ))}
          </ul>
        </details>
      ) : (
        <>
          {head}
          {entries.map((entry) => (
            <Particulars key={entry.at} of={entry} />
          ))}
        </>
      )}
    </li>
  );
}

function Offset({ all, at }: { all: readonly TimelineEntry[]; at: Instant }) {
  const ms = offsetMs(all, at);
  return (
    <time className={styles.offset} dateTime={instantToIso(at)} title={exactTime(at)}>
      {ms < 0 ? '' : '+'}
      {delayWords(ms)}
    </time>
  );
}

function Particulars({ of: entry, children }: { of: TimelineEntry; children?: ReactNode }) {
  const { event, leg, market_name, outcome, side, size, price, detail } = entry;
  const amount = size !== null && `${formatShares(size)}${price === null ? '' : ` at ${formatPrice(price)}`}`;
  if (market_name === null)
    return (
      detail !== null && (
        <p className={styles.detail}>
          <Detail text={plainWords(detail)} />
        </p>
      )
    );
  return (
    <p className={styles.order}>
      {leg !== null && <span>Leg {leg}</span>}
      {side !== null && !isOfChain(event) && <span>{side === 'buy' ? 'Buy' : 'Sell'}</span>}
      {amount && <span className={styles.amount}>{amount}</span>}
      {outcome !== null && <strong>{outcome}</strong>}
      <span className={styles.market}>{market_name}</span>
      {detail !== null && (
        <span className={styles.detail}>
          <Detail text={plainWords(detail)} />
        </span>
      )}
      {children}
    </p>
  );
}

/** The hash of a transaction in it is shown in short, and copied as a whole. */
function Detail({ text }: { text: string }) {
  const found = hashIn(text);
  if (found === undefined) return text;
  return (
    <>
      {found.before}
      <Hash hash={found.hash} />
      {found.after}
    </>
  );
}
