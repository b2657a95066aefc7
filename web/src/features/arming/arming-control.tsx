import { disarmTrading } from '@dutchbook/contract/arming.ts';
import { type SystemStatus, VENUE_MODES } from '@dutchbook/contract/status.ts';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { HeldHere } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { armedSentence } from '../status/armed-sentence.ts';
import { systemStatusKey, useSystemStatus } from '../status/system-status.ts';

const ArmDialog = lazyDialog(() => import('./arm-dialog.tsx').then((code) => code.ArmDialog));

/** Whether orders may leave, for everybody to see; for a superuser also the kill switch, and what arms again. */
export function ArmingControl() {
  const status = useSystemStatus();
  const { data: user } = useQuery(currentUserQuery);
  if (status === undefined) return null;
  return (
    <div className="row">
      <span title={armedSentence(status)}>
        {status.armed ? (
          <StatusBadge tone="success">Armed</StatusBadge>
        ) : (
          <StatusBadge tone="warning">
            {status.disarm_not_stored ? 'Disarmed here, not stored yet' : 'Trading disarmed'}
          </StatusBadge>
        )}
      </span>
      {user?.is_superuser && (status.armed ? <DisarmButton /> : <ArmButton status={status} />)}
    </div>
  );
}

/** One click and no question: disarming is urgent. */
function DisarmButton() {
  const client = useQueryClient();
  const disarm = useMutation({
    mutationFn: () => call(disarmTrading, { query: {}, keepalive: true }),
    onSuccess: (status) => client.setQueryData(systemStatusKey, status),
    onError: (error) => {
      if (error instanceof HeldHere) client.setQueryData(systemStatusKey, haltedHere);
    },
    meta: { success: 'Trading is disarmed. No order leaves any more.', failure: 'Failed to disarm trading' },
  });
  return (
    <Button size="compact-sm" variant="outline" color="red" loading={disarm.isPending} onClick={() => disarm.mutate()}>
      Disarm
    </Button>
  );
}

const haltedHere = (status?: SystemStatus) => status && { ...status, armed: false, disarm_not_stored: true };

function ArmButton({ status }: { status: SystemStatus }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        disabled={status.arming_refusal !== null}
        title={status.arming_refusal ?? `Let orders leave to ${VENUE_MODES[status.venue].label}`}
        onClick={() => setOpened(true)}
      >
        Arm
      </Button>
      {opened && <ArmDialog opened status={status} onClose={() => setOpened(false)} />}
    </>
  );
}
