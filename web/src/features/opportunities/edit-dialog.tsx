import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { type Opportunity, updateOpportunity } from '@dutchbook/contract/opportunities.ts';
import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { changesOf, draftOf, editProblems } from './edit-draft.ts';
import { opportunityKey, opportunityListKey } from './opportunity-queries.ts';

type EditDialogProps = { opened: boolean; opportunity: Opportunity; onClose: () => void };

/** Changes what a set is worth when it settles, and whether it is watched. */
export function EditDialog({ opened, opportunity, onClose }: EditDialogProps) {
  return (
    <Dialog opened={opened} title="Edit Opportunity" onClose={onClose}>
      <EditForm opportunity={opportunity} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ opportunity, onClose }: Omit<EditDialogProps, 'opened'>) {
  const client = useQueryClient();
  // Prices go on moving behind the dialog; what is edited is what stood here when it was opened.
  const [before] = useState(opportunity);
  const { form, submit, sending } = useContractForm({
    initialValues: draftOf(before),
    problems: editProblems,
    send: (draft) =>
      call(updateOpportunity, {
        params: { opportunity_id: before.id },
        query: {},
        body: changesOf(draft, before),
      }),
    meta: { success: 'Arbitrage opportunity updated successfully' },
    onSent: () => {
      void client.invalidateQueries({ queryKey: opportunityKey(before.id) });
      void client.invalidateQueries({ queryKey: opportunityListKey });
      onClose();
    },
  });
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <TextInput
        label="Target Price"
        description="What one set is worth when it settles, in dollars."
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('target_price')}
      />
      <Checkbox
        label="Active"
        description="Only an active opportunity triggers and can be placed."
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
      <FormButtons sending={sending} disabled={!form.isDirty()} onCancel={onClose} />
    </form>
  );
}
