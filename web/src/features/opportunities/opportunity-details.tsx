import type { Blocker, Opportunity, OpportunityFlag } from '@dutchbook/contract/opportunities.ts';
import type { Depth } from '@dutchbook/contract/valuation.ts';
import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { lastSearch } from '../../lists/list-search.ts';
import { shortId } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, ErrorBar, Note } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useOnScreen } from '../../ui/use-on-screen.ts';
import { FLAG_WORDS } from './flag-words.ts';
import { type AskedOrder, OpportunityActions } from './opportunity-actions-bar.tsx';
import styles from './opportunity-details.module.css';
import { BasicInformation, PriceInformation } from './opportunity-facts.tsx';
import { useOpportunity } from './opportunity-queries.ts';
import { OPPORTUNITY_SEARCH_DEFAULTS, type OpportunitySearch } from './opportunity-search.ts';
import { OrderBooks } from './order-books.tsx';
import { PositionTable } from './position-table.tsx';
import { PriceHistory } from './price-history.tsx';
import { OpportunityStatus } from './profit.tsx';
import { ProfitCurve } from './profit-curve.tsx';
import { useDefaultSize, useDepth } from './valuation-queries.ts';

/** One opportunity: what it is worth now, of what, and what stands between it and an order. */
export function OpportunityDetails({ id, asked }: { id: string; asked: AskedOrder }) {
  const { opportunity, deleted, receivedAtMs, error, refetch, isFetching } = useOpportunity(id);
  const title = `Opportunity ${shortId(id)}`;
  if (deleted) return <Gone title={title} />;
  if (opportunity === undefined && error === null) return <Loading title={title} />;
  return (
    <>
      <PageHeader
        title={title}
        back={<BackToList />}
        badges={opportunity && <Status of={opportunity} />}
        actions={opportunity && <OpportunityActions opportunity={opportunity} asked={asked} />}
      />
      {error && (
        <ErrorBar
          text="Error loading arbitrage opportunity details"
          detail={errorText(error)}
          onRetry={() => refetch()}
          retrying={isFetching}
        />
      )}
      {opportunity && <Sections opportunity={opportunity} receivedAtMs={receivedAtMs} />}
    </>
  );
}

/** The blockers stand further down; the buttons beside it keep their place whether there are any or not. */
function Status({ of: opportunity }: { of: Opportunity }) {
  const [first] = opportunity.blockers;
  const blocked = first && (
    <span title={first.message}>
      <StatusBadge tone="warning">
        Blocked<span className="visually-hidden">: {first.message}</span>
      </StatusBadge>
    </span>
  );
  return <OpportunityStatus of={opportunity} blocked={blocked} />;
}

function Sections({ opportunity, receivedAtMs }: { opportunity: Opportunity; receivedAtMs: number }) {
  const { id, last_error, flags, positions, blockers } = opportunity;
  const curve = useOnScreen<HTMLDivElement>();
  const books = useOnScreen<HTMLDivElement>();
  const depth = useDepth(id, receivedAtMs, curve.onScreen || books.onScreen);
  const standard = useDefaultSize(id, curve.onScreen);
  return (
    <div className={styles.sections}>
      {last_error !== null && <ErrorInformation of={opportunity} />}
      {flags.length > 0 && <Flags flags={flags} />}
      <PriceInformation of={opportunity} />
      <div className={styles.charts}>
        <PriceHistory opportunity={opportunity} />
        <div ref={curve.target}>
          <Panel title="Profit by Size" aside={<p className={styles.aside}>after fees</p>}>
            <DepthPart read={depth} heightPx={316}>
              {(known) => <ProfitCurve depth={known} standard={standard} />}
            </DepthPart>
          </Panel>
        </div>
      </div>
      <Panel title="Market Combinations">
        <PositionTable positions={positions} receivedAtMs={receivedAtMs} />
      </Panel>
      <div ref={books.target}>
        <Panel title="Order Books">
          <DepthPart read={depth} heightPx={480}>
            {(known) => <OrderBooks depth={known} positions={positions} />}
          </DepthPart>
        </Panel>
      </div>
      <div className={styles.pair}>
        <BasicInformation of={opportunity} />
        <Panel title="Blockers">
          <BlockerList blockers={blockers} />
        </Panel>
      </div>
    </div>
  );
}

function Flags({ flags }: { flags: readonly OpportunityFlag[] }) {
  return flags.map((flag) => {
    const { label, meaning } = FLAG_WORDS[flag];
    return <Note key={flag} tone="warning" title={label} lines={[meaning]} />;
  });
}

function ErrorInformation({ of: { last_error, error_count } }: { of: Opportunity }) {
  const times = error_count === 1 ? 'once' : `${error_count} times in a row`;
  return (
    <Panel title="Error Information" tone="error">
      <Note
        tone="error"
        title={last_error ?? ''}
        lines={[`Checking has failed ${times}. The price is the last good one.`]}
      />
    </Panel>
  );
}

function BackToList() {
  const search = lastSearch<OpportunitySearch>('opportunities') ?? OPPORTUNITY_SEARCH_DEFAULTS;
  return (
    <Link to="/arbitrage" search={search}>
      <Icon name="back" size={16} />
      Arbitrage
    </Link>
  );
}

function Gone({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState icon="arbitrage" text="This opportunity has been deleted." hint="Its batches are kept.">
        <BackToList />
      </EmptyState>
    </>
  );
}

function Loading({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} back={<BackToList />} />
      <div className={styles.sections} role="status" aria-label="Loading">
        <Skeleton height={104} />
        <div className={styles.charts}>
          <Skeleton height={400} />
          <Skeleton height={400} />
        </div>
        <Skeleton height={220} />
      </div>
    </>
  );
}

/** Every gate that would refuse an order now, with the distance to passing it. */
function BlockerList({ blockers }: { blockers: readonly Blocker[] }) {
  if (blockers.length === 0)
    return <Note tone="success" title="Nothing stands in the way of an order of the smallest size." />;
  return (
    <ul className={styles.blockers}>
      {blockers.map((blocker) => (
        <li key={`${blocker.gate} ${blocker.message}`}>
          <p>{blocker.message}</p>
          <Distance of={blocker} />
        </li>
      ))}
    </ul>
  );
}

function Distance({ of: { actual, required } }: { of: Blocker }) {
  if (actual === null || required === null) return null;
  return (
    <p className={styles.distance}>
      now <span>{plain(actual)}</span>, {actual > required ? 'at most' : 'at least'} <span>{plain(required)}</span>
    </p>
  );
}

/** Gates count in different units, which their message names: the bare number, at most four decimals. */
function plain(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}

type DepthPartProps = {
  read: ReturnType<typeof useDepth>;
  /** Kept free while the books are on their way. */
  heightPx: number;
  children: (depth: Depth) => ReactNode;
};

/** What is drawn from the order books; the last ones stay when new ones cannot be had. */
function DepthPart({ read: { data, error, refetch, isFetching }, heightPx, children }: DepthPartProps) {
  return (
    <>
      {error && (
        <ErrorBar
          text="Error loading the order books"
          detail={errorText(error)}
          onRetry={() => refetch()}
          retrying={isFetching}
        />
      )}
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Skeleton height={heightPx} />}
    </>
  );
}
