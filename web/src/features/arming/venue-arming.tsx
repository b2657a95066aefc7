import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useDisarm } from './use-disarm.ts';

const ArmDialog = lazyDialog(() => import('./arm-dialog.tsx').then((code) => code.ArmDialog));

type AtVenue = NonNullable<SystemStatus['venues']>[number];

type VenueArmingProps = { status: SystemStatus; venues: readonly AtVenue[] };

/** Arms or disarms one of several venues. */
export function VenueArming({ status, venues }: VenueArmingProps) {
  const [arming, setArming] = useState<VenueName>();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="compact-sm" variant="default">
            By Venue
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {venues.map((each) =>
            each.armed ? (
              <DisarmItem key={each.venue} venue={each.venue} />
            ) : (
              <Menu.Item
                key={each.venue}
                disabled={each.arming_refusal !== null}
                title={each.arming_refusal ?? undefined}
                onClick={() => setArming(each.venue)}
              >
                Arm {VENUE_LABELS[each.venue]}
              </Menu.Item>
            ),
          )}
        </Menu.Dropdown>
      </Menu>
      {arming && <ArmDialog opened status={status} venue={arming} onClose={() => setArming(undefined)} />}
    </>
  );
}

function DisarmItem({ venue }: { venue: VenueName }) {
  const disarm = useDisarm(venue);
  return (
    <Menu.Item c="var(--error-ink)" onClick={() => disarm.mutate()}>
      Disarm {VENUE_LABELS[venue]}
    </Menu.Item>
  );
}
