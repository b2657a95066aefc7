import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { type Opportunity, updateOpportunity } from '@dutchbook/contract/opportunities.ts';
import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TargetNote } from './add/target-note.tsx';
import { changesOf, draftOf, editProblems, readTarget } from './edit-draft.ts';
import { TriggerWords } from './list/trigger-note.tsx';
import { opportunityKey, opportunityListKey } from './opportunity-queries.ts';

/** What the profit of an active one is compared with. */
function ActiveWords() {
  return (
    <>
      Only an active opportunity triggers and can be placed. Its profit is judged <TriggerWords />.
    </>
  );
}

type EditDialogProps = { opened: boolean; opportunity: Opportunity; onClose: () => void };

/** Changes what a set is worth when it settles, and whether it is watched. */
export function EditDialog({ opened, opportunity, onClose }: EditDialogProps) {
  const client = useQueryClient();
  const { id } = opportunity;
  return (
    <FormDialog
      opened={opened}
      title="Edit Opportunity"
      initialValues={draftOf(opportunity)}
      problems={editProblems}
      send={(draft, before) =>
        call(updateOpportunity, { params: { opportunity_id: id }, query: {}, body: changesOf(draft, before) })
      }
      meta={{ success: 'Arbitrage opportunity updated successfully' }}
      onSent={() => {
        void client.invalidateQueries({ queryKey: opportunityKey(id) });
        void client.invalidateQueries({ queryKey: opportunityListKey });
      }}
      onClose={onClose}
      savesUnchanged={false}
    >
      {(form) => (
        <>
          <TextInput
            label="Target Price"
            description="What one set is worth when it settles, in dollars."
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('target_price')}
          />
          <TargetNote
            of={{
              ...opportunity,
              target_price: readTarget(form.values.target_price) ?? opportunity.target_price,
            }}
          />
          <Checkbox
            label="Active"
            description={<ActiveWords />}
            {...form.getInputProps('active', { type: 'checkbox' })}
          />
        </>
      )}
    </FormDialog>
  );
}
