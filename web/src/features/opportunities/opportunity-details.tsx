import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import type { Blocker, Opportunity, OpportunityFlag } from '@dutchbook/contract/opportunities.ts';
import { Skeleton } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { isMissing } from '../../calls/api-error.ts';
import { LoadError, Loaded } from '../../calls/loaded.tsx';
import { lastSearch } from '../../lists/list-search.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { LocalDay } from '../../ui/local-time.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, Note } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Later } from '../../ui/use-in-slices.ts';
import { useOnScreen } from '../../ui/use-on-screen.ts';
import { SeriesStanding } from '../batches/series/series-standing.tsx';
import { SettingLink } from '../session/setting-link.tsx';
import { FLAG_WORDS } from './flag-words.ts';
import { type AskedOrder, OpportunityActions } from './opportunity-actions-bar.tsx';
import styles from './opportunity-details.module.css';
import { BasicInformation, PriceInformation } from './opportunity-information.tsx';
import { useOpportunity } from './opportunity-queries.ts';
import type { OpportunitySearch } from './opportunity-search.ts';
import { OrderBooks } from './order-books.tsx';
import { SizeOfPolicy } from './order-size.tsx';
import { PositionTable } from './position-table.tsx';
import { PriceHistory } from './price-history.tsx';
import { OpportunityStatus } from './profit.tsx';
import { ExpectedDepth, ProfitCurve } from './profit-curve.tsx';
import { useDepth } from './valuation-queries.ts';

const TargetNote = lazyPart(() => import('./add/target-note.tsx').then((code) => code.TargetNote));
const GoneLine = lazyPart(() => import('./list/gone-line.tsx').then((code) => code.GoneLine));

/** What shows the past of it, which belongs to another feature, and how it gets the moment. */
export type PastSlot = { onPick: (atMs: number) => void; lookBack: ReactNode };

type DetailsProps = { id: string; asked: AskedOrder; past: PastSlot };

/** One opportunity: what it is worth now, of what, and what stands between it and an order. */
export function OpportunityDetails({ id, asked, past }: DetailsProps) {
  const { opportunity, deleted, receivedAtMs, ...read } = useOpportunity(id);
  const title = opportunity?.name ?? 'Opportunity';
  if (deleted) return <Gone title={title} />;
  if (opportunity === undefined && read.error === null) return <Loading title={title} />;
  return (
    <>
      <PageHeader
        title={title}
        id={{ id, what: 'Opportunity ID' }}
        back={<BackToList />}
        badges={opportunity && <Status of={opportunity} />}
        actions={opportunity && <OpportunityActions opportunity={opportunity} asked={asked} />}
        below={opportunity && <Payout of={opportunity} />}
      />
      {opportunity && <WhyNotBought of={opportunity} />}
      <LoadError of={read} text="Error loading arbitrage opportunity details" />
      {opportunity === undefined && isMissing(read.error) && (
        <EmptyState
          icon="arbitrage"
          text="There is no such opportunity."
          hint="It may have been deleted, or the address is not whole."
        >
          <BackToList />
        </EmptyState>
      )}
      {opportunity && <Sections opportunity={opportunity} receivedAtMs={receivedAtMs} past={past} />}
    </>
  );
}

/** A moment before it was priced last means that its cash is back at once. */
function Payout({ of: { id, active, pays_at: at, last_checked: checked, relation_id } }: { of: Opportunity }) {
  if (!active)
    return (
      <>
        {relation_id !== null && (
          <div className={styles.over}>
            <Suspense>
              <GoneLine id={id} relationId={relation_id} />
            </Suspense>
          </div>
        )}
        <p className="hint">
          Inactive: it is not bought, and its price and profit are those of its last check. Its books below are of now.
        </p>
      </>
    );
  if (at === null) return <p className="hint">When it pays is not known.</p>;
  if (checked !== null && at <= checked) return <p className="hint">Pays at once, by a merge or a conversion.</p>;
  return (
    <p className="hint">
      Pays on <LocalDay at={at} />, when the last of its markets ends.
    </p>
  );
}

/** One badge, so that the buttons beside it keep their place when it triggers; the others, and what blocks it, stand further down. */
function Status({ of: opportunity }: { of: Opportunity }) {
  const first = firstBlocker(opportunity);
  const triggered =
    first === undefined ? (
      <StatusBadge tone="active">Triggered</StatusBadge>
    ) : first.automatic_only ? (
      <StatusBadge tone="inactive">Not bought automatically</StatusBadge>
    ) : (
      <StatusBadge tone="warning">Blocked</StatusBadge>
    );
  return <OpportunityStatus of={opportunity} triggeredAs={triggered} />;
}

/** What stands in a person's way, or else in that of the product alone. */
function firstBlocker({ blockers }: Opportunity): Blocker | undefined {
  return blockers.find((blocker) => !blocker.automatic_only) ?? blockers[0];
}

/** Why it is not bought although it triggers. */
function WhyNotBought({ of: opportunity }: { of: Opportunity }) {
  const first = firstBlocker(opportunity);
  if (!opportunity.triggered || first === undefined) return null;
  const { automatic_only: onlyAutomatic, message } = first;
  return (
    <p className={`hint ${styles.why}`}>
      {onlyAutomatic
        ? `Not bought automatically: ${plainWords(message)}. You can place it by hand.`
        : `Blocked: ${plainWords(message)}.`}{' '}
      <SettingLink message={message} relationId={opportunity.relation_id} />
    </p>
  );
}

const NO_BOOKS = 'Error loading the order books';

type SectionsProps = { opportunity: Opportunity; receivedAtMs: number; past: PastSlot };

function Sections({ opportunity, receivedAtMs, past }: SectionsProps) {
  const { target_price, pays_at_most } = opportunity;
  const { id, last_error, flags, positions, blockers, last_checked, current_price, updated_at } = opportunity;
  const curve = useOnScreen<HTMLDivElement>();
  const books = useOnScreen<HTMLDivElement>();
  const depth = useDepth(id, `${last_checked} ${current_price} ${updated_at}`, curve.onScreen || books.onScreen);
  return (
    <div className="stack">
      {last_error !== null && <ErrorInformation of={opportunity} />}
      {pays_at_most !== undefined && target_price > pays_at_most && (
        <Suspense>
          <TargetNote of={opportunity} />
        </Suspense>
      )}
      {flags.length > 0 && <Flags flags={flags} />}
      <PriceInformation of={opportunity} />
      <SeriesStanding opportunityId={id} />
      <Later>
        <div className={`pair ${styles.charts}`}>
          <PriceHistory opportunity={opportunity} onPick={past.onPick} />
          <div ref={curve.target}>
            <Panel title="Profit by Size" folds aside={<p className={styles.aside}>after fees</p>}>
              <Loaded of={depth} text={NO_BOOKS} height={316}>
                {(known) => (
                  <>
                    <ProfitCurve depth={known} standard={known.order_size} />
                    <ExpectedDepth of={known} />
                    {opportunity.active && (
                      <SizeOfPolicy chosen={known.chosen_size} payingSize={known.max_profitable_size} />
                    )}
                  </>
                )}
              </Loaded>
            </Panel>
          </div>
        </div>
      </Later>
      <Later>
        {past.lookBack}
        <Panel title="Market Combinations">
          <PositionTable positions={positions} receivedAtMs={receivedAtMs} />
        </Panel>
        <div ref={books.target}>
          <Panel title="Order Books" folds>
            <Loaded of={depth} text={NO_BOOKS} height={480}>
              {(known) => <OrderBooks depth={known} positions={positions} />}
            </Loaded>
          </Panel>
        </div>
        <div className="pair">
          <BasicInformation of={opportunity} />
          <Panel title="Blockers">
            <BlockerList blockers={blockers} />
          </Panel>
        </div>
      </Later>
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
  const search = lastSearch<OpportunitySearch>('opportunities');
  return (
    <BackLink to="/arbitrage" search={search}>
      Arbitrage
    </BackLink>
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
      <div className="stack" role="status" aria-label="Loading">
        <Skeleton height={104} />
        <div className={`pair ${styles.charts}`}>
          <Skeleton height={400} />
          <Skeleton height={400} />
        </div>
        <Skeleton height={220} />
      </div>
    </>
  );
}

/** Every gate that would refuse an order now; its words have the distance to passing it. */
function BlockerList({ blockers }: { blockers: readonly Blocker[] }) {
  if (blockers.length === 0)
    return <Note tone="success" title="Nothing stands in the way of an order of the smallest size." />;
  return (
    <ul className={styles.blockers}>
      {blockers.map((blocker) => (
        <li key={`${blocker.gate} ${blocker.message}`}>
          <p>
            {plainWords(blocker.message)}
            {blocker.automatic_only && <span className="muted"> (only automatically)</span>}{' '}
            <SettingLink message={blocker.message} />
          </p>
        </li>
      ))}
    </ul>
  );
}
