import type { RelationReply } from '@dutchbook/contract/relations.ts';
import { Skeleton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../calls/api-error.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, Note } from '../../ui/states.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { BackToList } from './back-to-list.tsx';
import { DistanceHistory } from './distance-history.tsx';
import { MemberTable } from './member-table.tsx';
import { Provenance } from './provenance.tsx';
import { RelationActions } from './relation-actions.tsx';
import styles from './relation-details.module.css';
import { DifferencesPanel } from './relation-differences.tsx';
import { RelationHits } from './relation-hits.tsx';
import { useRelation } from './relation-queries.ts';
import { BasisBadge, StateBadge } from './relation-values.tsx';
import { losesNow, lossWords, stateWords, waitsForApproval } from './relation-words.ts';
import { Standing } from './standing.tsx';
import { WorldTable } from './world-table.tsx';

/** What shows the past of it, which belongs to another feature, and how it gets the moment. */
export type PastSlot = { onPick: (atMs: number) => void; lookBack: ReactNode };

/** One relation: what it says, how far it is from paying, in which worlds it pays what, and who decided on it. */
export function RelationDetails({ id, past }: { id: string; past: PastSlot }) {
  const { relation, ...read } = useRelation(id);
  /** Why an approval was refused, and what it was asked for is shown anew. */
  const [refused, setRefused] = useState<string | null>(null);
  const { error } = read;
  if (relation === undefined && error === null) return <Loading />;
  const isMissing = relation === undefined && error instanceof ApiError && error.status === 404;
  return (
    <>
      <PageHeader
        title={relation?.event_title ?? 'Relation'}
        back={<BackToList />}
        badges={relation && <Badges of={relation} />}
        actions={relation && <RelationActions relation={relation} onRefused={setRefused} />}
      />
      {relation && <p className={styles.says}>{relation.title}</p>}
      {!isMissing && <LoadError of={read} text="Error loading relation" />}
      {isMissing && (
        <EmptyState icon="search" text="Relation not found">
          <BackToList />
        </EmptyState>
      )}
      {relation && <Sections relation={relation} refused={refused} past={past} />}
    </>
  );
}

type SectionsProps = { relation: RelationReply; refused: string | null; past: PastSlot };

function Sections({ relation, refused, past }: SectionsProps) {
  const { state, reason, contradiction, member_list, worlds } = relation;
  return (
    <div className="stack">
      <Announcer text={`State: ${stateWords(relation).label}`} />
      {refused !== null && (
        <Note tone="warning" title="Nothing was approved." lines={[refused, 'The page shows what it says now.']} />
      )}
      {state === 'void' && (
        <Note
          tone="error"
          title="Void: nothing is bought by this relation."
          lines={[
            reason ?? 'What it depends on has changed.',
            contradiction === null
              ? 'A superuser can approve what it says now.'
              : 'It cannot be approved while its members have resolved so.',
          ]}
        />
      )}
      {waitsForApproval(relation) && losesNow(relation) && (
        <Note tone="inactive" title={lossWords(relation)} lines={['There is nothing to gain by approving it now.']} />
      )}
      <DifferencesPanel differences={relation.differences} />
      <Standing of={relation} />
      <WorldTable worlds={worlds} members={member_list} />
      <DistanceHistory of={relation} onPick={past.onPick} />
      {past.lookBack}
      <RelationHits id={relation.id} pays={paysNow(relation)} />
      <MemberTable members={member_list} />
      <Provenance of={relation} />
    </div>
  );
}

/** Undefined where its prices are outdated. */
function paysNow({ distance, outdated }: RelationReply): boolean | undefined {
  return distance === null || outdated !== null ? undefined : distance < 0;
}

/** Kinds whose payout depends on whether every outcome is listed. */
const NEEDS_ALL: readonly string[] = ['at_most_one', 'exactly_one', 'buckets'];

function Badges({ of: relation }: { of: RelationReply }) {
  const { kind, is_complete, is_void_safe } = relation;
  return (
    <span className="row">
      <StatusBadge tone="inactive">{statusWords(kind)}</StatusBadge>
      <BasisBadge of={relation} />
      <StateBadge of={relation} />
      {is_void_safe ? (
        <StatusBadge tone="success">Void-safe</StatusBadge>
      ) : (
        <StatusBadge tone="warning">Pays less if a market is voided</StatusBadge>
      )}
      {NEEDS_ALL.includes(kind) && (
        <StatusBadge tone={is_complete ? 'success' : 'inactive'}>
          {is_complete ? 'Complete' : 'Not known to be complete'}
        </StatusBadge>
      )}
    </span>
  );
}

function Loading() {
  return (
    <>
      <PageHeader title="Relation" back={<BackToList />} />
      <div className="stack" role="status" aria-label="Loading">
        <Skeleton height={120} />
        <Skeleton height={280} />
        <Skeleton height={400} />
      </div>
    </>
  );
}
