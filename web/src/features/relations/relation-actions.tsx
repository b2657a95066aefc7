import { followRelation } from '@dutchbook/contract/discovery/decisions.ts';
import type { RelationReply } from '@dutchbook/contract/relations.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { readOne } from '../../live/fresher.ts';
import { Changing } from '../../ui/changing.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { useKeepRelation } from './relation-queries.ts';
import { losesNow, waitsForApproval } from './relation-words.ts';

const ApproveDialog = lazyDialog(() => import('./approve-dialog.tsx').then((code) => code.ApproveDialog));
const RejectDialog = lazyDialog(() => import('./reject-dialog.tsx').then((code) => code.RejectDialog));

type RelationActionsProps = {
  relation: RelationReply;
  /** Why an approval was refused; null while another one is asked for. */
  onRefused: (why: string | null) => void;
};

/** What can be done with a relation; superusers alone decide on it. */
export function RelationActions({ relation, onRefused }: RelationActionsProps) {
  const { opportunity_id } = relation;
  const { data: user } = useQuery(currentUserQuery);
  return (
    <>
      {opportunity_id !== null && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/arbitrage/$opportunityId" params={{ opportunityId: opportunity_id }} {...props} />
          )}
        >
          View Opportunity
        </Button>
      )}
      <Changing>
        <FollowButton of={relation} />
      </Changing>
      {user?.is_superuser && <DecisionButtons relation={relation} onRefused={onRefused} />}
    </>
  );
}

function DecisionButtons({ relation, onRefused }: RelationActionsProps) {
  const [opened, setOpened] = useState<'approve' | 'reject'>();
  // What was shown when the question was asked is what is approved, whatever comes by the stream meanwhile.
  const [asked, setAsked] = useState(relation);
  const close = () => setOpened(undefined);
  const askApproval = () => {
    onRefused(null);
    setAsked(relation);
    setOpened('approve');
  };
  return (
    <>
      {relation.state !== 'rejected' && (
        <Button variant="default" onClick={() => setOpened('reject')}>
          Reject
        </Button>
      )}
      {relation.state !== 'approved' && relation.contradiction === null && (
        <Button
          variant={losesNow(relation) || !waitsForApproval(relation) ? 'default' : 'filled'}
          onClick={askApproval}
        >
          Approve
        </Button>
      )}
      <ApproveDialog opened={opened === 'approve'} relation={asked} onClose={close} onRefused={onRefused} />
      <RejectDialog opened={opened === 'reject'} relation={relation} onClose={close} />
    </>
  );
}

function FollowButton({ of: { id, is_followed } }: { of: RelationReply }) {
  const keep = useKeepRelation();
  const { start, isPending } = useSingleMutation({
    mutationFn: () =>
      readOne(() => call(followRelation, { params: { relation_id: id }, body: { follow: !is_followed } })),
    onSuccess: keep,
    meta: { failure: 'Failed to change whether you follow the relation' },
  });
  return (
    <Button variant="default" loading={isPending} onClick={() => start()}>
      {is_followed ? 'Unfollow' : 'Follow'}
    </Button>
  );
}
