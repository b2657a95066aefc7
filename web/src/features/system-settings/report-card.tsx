import { changeReportSettings, type ReportSettings } from '@dutchbook/contract/report.ts';
import { TextInput, type TextInputProps } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { SavedForm, useSavedForm } from '../../forms/saved-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { amountOf } from './number-from.ts';
import { type ReportDraft, reportDraftOf, reportProblems, reportSettingsOf } from './report-draft.ts';
import { reportSettingsQuery } from './settings-queries.ts';

/** What capital costs, and when buying pauses because settlements fail. */
export function ReportCard() {
  return (
    <Panel title="Report" aside={<Link to="/report">Open the Report</Link>}>
      <Loaded of={useQuery(reportSettingsQuery)} text="Error loading the report settings" height={200}>
        {(settings) => <ReportForm saved={settings} />}
      </Loaded>
    </Panel>
  );
}

function ReportForm({ saved }: { saved: ReportSettings }) {
  const client = useQueryClient();
  const report = useSavedForm({
    saved,
    draftOf: reportDraftOf,
    meaningOf: amountOf,
    problems: reportProblems,
    send: (draft: ReportDraft) => call(changeReportSettings, { body: reportSettingsOf(draft) }),
    success: 'Report settings updated successfully.',
    onSaved: (now) => client.setQueryData(reportSettingsQuery.queryKey, now),
  });
  const { form } = report;
  return (
    <SavedForm form={report} action="Set Report" canUndo>
      <PercentField
        label="Hurdle"
        description="What capital costs a year; the annualised return stands beside it."
        {...form.getInputProps('hurdle')}
      />
      <PercentField
        label="Pause above failed settlements"
        description="Buying pauses while more of the last day’s settlements failed. Empty: it never does."
        placeholder="Never"
        {...form.getInputProps('pause_above_failed')}
      />
    </SavedForm>
  );
}

function PercentField(props: TextInputProps) {
  return (
    <TextInput
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span aria-hidden="true">%</span>}
      rightSectionPointerEvents="none"
      styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
      {...props}
    />
  );
}
