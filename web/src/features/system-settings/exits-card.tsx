import { type ExitSettings, writeExitSettings } from '@dutchbook/contract/exit-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { SavedForm, useSavedForm } from '../../forms/saved-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DollarField } from './dollar-field.tsx';
import { changedExits, type ExitsDraft, type ExitsSwitch, exitsDraftOf, exitsProblems } from './exits-draft.ts';
import { amountOf } from './number-from.ts';
import { exitSettingsQuery } from './settings-queries.ts';
import { type Switch, Switches } from './switches.tsx';

const CASH_NOW: readonly Switch<ExitsSwitch>[] = [
  {
    name: 'auto_cash_now',
    label: 'Cash Now by itself',
    effect: 'Complete sets of batches that have ended are converted into dollars without anybody asking.',
  },
];
const REDEEM: readonly Switch<ExitsSwitch>[] = [
  {
    name: 'auto_redeem',
    label: 'Redeem by itself',
    effect: 'What has won is redeemed as soon as its market has resolved.',
  },
];

/** What is converted into dollars without anybody asking. */
export function ExitsCard() {
  return (
    <Panel title="Exits" aside={<Link to="/approvals">Approvals</Link>}>
      <Loaded of={useQuery(exitSettingsQuery)} text="Error loading the exit settings" height={260}>
        {(settings) => <ExitsForm saved={settings} />}
      </Loaded>
    </Panel>
  );
}

function ExitsForm({ saved }: { saved: ExitSettings }) {
  const client = useQueryClient();
  const exits = useSavedForm({
    saved,
    draftOf: exitsDraftOf,
    meaningOf: amountOf,
    problems: exitsProblems,
    send: (draft: ExitsDraft) => call(writeExitSettings, { body: changedExits(saved, draft) }),
    success: 'Exit settings updated successfully.',
    onSaved: (now) => client.setQueryData(exitSettingsQuery.queryKey, now),
  });
  const { form } = exits;
  return (
    <SavedForm form={exits} action="Set Exits" canUndo lastChange={saved}>
      <p className="hint">Nothing is sent by itself while trading is disarmed.</p>
      <Switches of={CASH_NOW} form={form} />
      <DollarField
        label="Least dollars"
        description="What Cash Now has to bring before it is done by itself."
        {...form.getInputProps('auto_cash_now_min_usd')}
      />
      <Switches of={REDEEM} form={form} />
    </SavedForm>
  );
}
