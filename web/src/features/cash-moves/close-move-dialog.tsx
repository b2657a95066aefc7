import { type CashMove, closeCashMove } from '@dutchbook/contract/accounts/cash-moves.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { cashMovesKey } from './cash-move-queries.ts';

type CloseMoveDialogProps = { opened: boolean; move: CashMove; onClose: () => void };

const FINDINGS = [
  { value: 'yes', label: 'It was made' },
  { value: 'no', label: 'It was not made' },
];

type Draft = { found: string };

/** What a person has found at the venue of a move that both shards do not show. */
export function CloseMoveDialog({ opened, move, onClose }: CloseMoveDialogProps) {
  const client = useQueryClient();
  const { amount_usd: usd, from_pocket: from, to_pocket: to, venue } = move;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="State What Became of a Move"
      initialValues={{ found: 'yes' }}
      problems={() => ({})}
      send={({ found }: Draft) =>
        call(closeCashMove, { params: { cash_move_id: move.id }, body: { was_made: found === 'yes' } })
      }
      meta={{ success: 'It is stated.' }}
      onSent={() => void readAgain(client, cashMovesKey)}
    >
      {(form) => (
        <>
          <p>
            Look up at {VENUE_LABELS[venue]} whether {formatUsd(usd)} were moved from shard {from} to shard {to}. What
            you state moves nothing.
          </p>
          <NativeSelect label="Found at the Venue" data={FINDINGS} {...form.getInputProps('found')} />
        </>
      )}
    </FormDialog>
  );
}
