import { disarmTrading } from '@dutchbook/contract/arming.ts';
import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { HeldHere } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { systemStatusKey } from '../../calls/system-status-key.ts';

/** Disarms one venue; without `venue`, all at once. */
export function useDisarm(venue?: VenueName) {
  const client = useQueryClient();
  const at = venue === undefined ? '' : ` at ${VENUE_LABELS[venue]}`;
  const there = venue === undefined ? '' : ' there';
  return useMutation({
    mutationFn: () => call(disarmTrading, { query: { venue }, keepalive: true }),
    onSuccess: (status) => client.setQueryData(systemStatusKey, status),
    onError: (error) => {
      if (error instanceof HeldHere)
        client.setQueryData<SystemStatus>(systemStatusKey, (status) => status && haltedHere(status, venue));
    },
    meta: {
      success: `Trading${at} is disarmed. No order leaves${there} any more.`,
      failure: `Failed to disarm trading${at}`,
    },
  });
}

const HALTED = { armed: false, disarm_not_stored: true };

function haltedHere({ venues, ...status }: SystemStatus, venue: VenueName | undefined): SystemStatus {
  if (venues === undefined) return { ...status, ...HALTED };
  const halted = venues.map((each) => (venue === undefined || each.venue === venue ? { ...each, ...HALTED } : each));
  return { ...status, armed: halted.some((each) => each.armed), disarm_not_stored: true, venues: halted };
}
