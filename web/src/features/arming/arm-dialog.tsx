import { ARM_CONFIRMATION, armForm, armTrading } from '@dutchbook/contract/arming.ts';
import { type SystemStatus, VENUE_MODES } from '@dutchbook/contract/status.ts';
import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { whenShown } from '../../calls/when-shown.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { armedSentence } from '../status/armed-sentence.ts';
import { systemStatusKey } from '../status/system-status.ts';

type ArmDialogProps = { opened: boolean; status: SystemStatus; onClose: () => void };

/** Arms trading once its word has been typed. */
export function ArmDialog({ opened, status, onClose }: ArmDialogProps) {
  const client = useQueryClient();
  const { form, submit, sending } = useContractForm({
    initialValues: { confirmation: '' },
    problems: rulesOf(armForm),
    send: (body) => call(armTrading, { body }).catch(whenShown(onClose)),
    meta: { success: 'Trading is armed.', failure: 'Failed to arm trading' },
    onSent: (armed) => {
      client.setQueryData(systemStatusKey, armed);
      onClose();
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} unsaved={false} title="Arm Trading">
      <form className="stack" noValidate onSubmit={submit}>
        <p>
          From then on orders leave to <strong>{VENUE_MODES[status.venue].label}</strong>: those placed by hand, and
          those the product places by itself when an opportunity triggers.
        </p>
        <p className="muted">{armedSentence(status)}</p>
        <TextInput
          label={`Type ${ARM_CONFIRMATION} to confirm`}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('confirmation')}
        />
        <ButtonRow>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Arm Trading
          </Button>
        </ButtonRow>
      </form>
    </Dialog>
  );
}
