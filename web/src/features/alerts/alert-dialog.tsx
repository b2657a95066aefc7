import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { formatPercent, type Percent } from '@dutchbook/units/percent.ts';
import { Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { type AlertDraft, alertProblems } from './alert-draft.ts';
import { AlertTable } from './alert-list.tsx';
import { ownAlertsQuery, sendAlert, useReadAlertsAgain } from './alert-queries.ts';

type AlertDialogProps = {
  opened: boolean;
  onClose: () => void;
  opportunityId: string;
  name: string;
  /** As it stands now; null while there is none. */
  profit: Percent | null;
  /** No other is priced. */
  active: boolean;
};

const EMPTY: AlertDraft = { at: '', byMail: false };

/** Asks to be told once the profit of an opportunity comes up to a percentage, and lists what was asked for before. */
export function AlertDialog({ opened, onClose, opportunityId, name, profit, active }: AlertDialogProps) {
  const readAgain = useReadAlertsAgain();
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Alert Me"
      initialValues={EMPTY}
      problems={alertProblems}
      send={(draft) => sendAlert(opportunityId, draft)}
      meta={{ success: 'Alert added successfully' }}
      onSent={readAgain}
      savesUnchanged={false}
    >
      {(form) => (
        <>
          <p>
            {name}: {profit === null ? 'it has no price now.' : `its profit is ${formatPercent(profit)} now.`}
            {!active && ' It is inactive: nothing is told before it is active again.'}
          </p>
          <TextInput
            label="Tell me at a profit of %"
            description={outlookOf(form.values.at, profit)}
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('at')}
          />
          <Checkbox
            label="Also by email"
            description="To the email of your account. In the notifications it stands in any case, and goes where they go."
            {...form.getInputProps('byMail', { type: 'checkbox' })}
          />
          <Standing opportunityId={opportunityId} />
        </>
      )}
    </FormDialog>
  );
}

const ONCE = 'Once each time it is reached, and again only after it was more than 0.1 points below.';

function outlookOf(at: string, profit: Percent | null): string {
  const isReached = profit !== null && at.trim() !== '' && Number(at) * 1_000_000 <= profit;
  return isReached ? `It is reached already: you are told at once. ${ONCE}` : ONCE;
}

/** What was asked for of this opportunity before. */
function Standing({ opportunityId }: { opportunityId: string }) {
  const { data } = useQuery(ownAlertsQuery);
  const rows = data?.data.filter((alert) => alert.opportunity_id === opportunityId) ?? [];
  return rows.length === 0 ? null : <AlertTable rows={rows} ofOne />;
}
