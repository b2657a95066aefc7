import { type SystemStatus, VENUE_MODES } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { armedSentence } from '../status/armed-sentence.ts';
import { mayBeArmed, useSystemStatus } from '../status/system-status.ts';
import { useDisarm } from './use-disarm.ts';
import { VenueArming } from './venue-arming.tsx';

const ArmDialog = lazyDialog(() => import('./arm-dialog.tsx').then((code) => code.ArmDialog));

/** Whether orders may leave, for every user to see; for a superuser also the kill switch, and what arms again. */
export function ArmingControl() {
  const status = useSystemStatus();
  const { data: user } = useQuery(currentUserQuery);
  if (status === undefined) return user?.is_superuser ? <UnknownArming /> : null;
  return (
    <div className="row">
      <span title={armedSentence(status)}>
        <ArmedBadge of={status} />
      </span>
      {user?.is_superuser && (status.armed ? <DisarmButton /> : <ArmButton status={status} />)}
      {user?.is_superuser && status.venues && <VenueArming status={status} venues={status.venues} />}
    </div>
  );
}

/** A status that has not come by then does not come soon. */
const PATIENCE_MS = 1000;

/** The kill switch while the server does not say whether trading is armed. */
function UnknownArming() {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate || !mayBeArmed()) return null;
  return (
    <span title="The server has not said whether trading is armed.">
      <DisarmButton />
    </span>
  );
}

function ArmedBadge({ of: { armed, automatic, venues = [], disarm_not_stored } }: { of: SystemStatus }) {
  const armedAt = venues.filter((each) => each.armed).map(({ venue }) => VENUE_LABELS[venue]);
  if (armed && armedAt.length < venues.length)
    return <StatusBadge tone="warning">Armed at {armedAt.join(', ')} only</StatusBadge>;
  if (armed && automatic === 'off') return <StatusBadge tone="inactive">Armed by hand</StatusBadge>;
  if (armed) return <StatusBadge tone="success">Armed</StatusBadge>;
  return (
    <StatusBadge tone="warning">{disarm_not_stored ? 'Disarmed here, not stored yet' : 'Trading disarmed'}</StatusBadge>
  );
}

/** One click and no question: disarming is urgent. Of several venues, all at once. */
function DisarmButton() {
  const disarm = useDisarm();
  return (
    <Button size="compact-sm" variant="outline" color="red" loading={disarm.isPending} onClick={() => disarm.mutate()}>
      Disarm
    </Button>
  );
}

/** Asks for the word that arms. */
export function ArmButton({ status }: { status: SystemStatus }) {
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
