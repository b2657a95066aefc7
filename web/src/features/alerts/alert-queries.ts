import { ALERTS_MAX, type Alert, createAlert, deleteAlert, listAlerts } from '@dutchbook/contract/attention.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import type { AlertDraft } from './alert-draft.ts';

const alertsKey = ['alerts'] as const;

/** All that a person may have. */
export const ownAlertsQuery = callQuery(alertsKey, listAlerts, { query: { skip: 0, limit: ALERTS_MAX } });

const isAlert = ({ data }: Change) =>
  data !== null && 'notification_type' in data && data.notification_type === 'opportunity_alert';

/** Reads them again as they fire. */
export function useAlertsRefresh(): void {
  const client = useQueryClient();
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: alertsKey }), [client]);
  useReadSoon(isAlert, readAgain);
}

export function useReadAlertsAgain() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: alertsKey });
}

export function sendAlert(opportunityId: string, { at, byMail }: AlertDraft): Promise<Alert> {
  const at_percentage = percentFromNumber(Number(at));
  return call(createAlert, { body: { opportunity_id: opportunityId, at_percentage, by_mail: byMail } });
}

export function useDeleteAlert() {
  const readAgain = useReadAlertsAgain();
  return useMutation({
    mutationFn: (alert_id: string) => call(deleteAlert, { params: { alert_id } }),
    onSettled: readAgain,
    meta: { success: 'Alert deleted successfully', failure: 'Failed to delete the alert' },
  });
}
