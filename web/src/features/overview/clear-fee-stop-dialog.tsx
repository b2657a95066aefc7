import { clearFeeStop, type FeeStop } from '@dutchbook/contract/fee-stops.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { overviewKey } from './use-overview.ts';

type ClearFeeStopDialogProps = { opened: boolean; stop: FeeStop; onClose: () => void };

/** Confirms that automatic buying with this kind of fee may resume. */
export function ClearFeeStopDialog({ opened, stop, onClose }: ClearFeeStopDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmedCall
      opened={opened}
      title="Clear Fee Stop"
      confirm="Clear"
      send={() => call(clearFeeStop, { params: { fee_stop_id: stop.id } })}
      onDone={() => client.invalidateQueries({ queryKey: overviewKey })}
      meta={{ success: 'Automatic placing goes on for this kind of fee.', failure: 'Failed to clear the stop' }}
      onClose={onClose}
    >
      <p>
        Opportunities with fees of <strong>{stop.category}</strong> are placed automatically again, at the profit that
        the venue’s stated fees leave.
      </p>
    </ConfirmedCall>
  );
}
