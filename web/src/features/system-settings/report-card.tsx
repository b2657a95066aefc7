import { changeReportSettings } from '@dutchbook/contract/report/report-settings.ts';
import { TextInput, type TextInputProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { reportDraftOf, reportProblems, reportSettingsOf } from './report-draft.ts';
import { SettingsCard } from './settings-card.tsx';
import { reportSettingsQuery } from './settings-queries.ts';

const LABELS = { hurdle: 'Hurdle', pause_above_failed: 'Pause above failed settlements' };

/** What capital costs, and when buying pauses because settlements fail. */
export function ReportCard() {
  return (
    <SettingsCard
      title="Report"
      aside={<Link to="/report">Open the Report</Link>}
      what="report settings"
      query={reportSettingsQuery}
      height={200}
      draftOf={reportDraftOf}
      labels={LABELS}
      problems={reportProblems}
      changed={(_saved, draft) => reportSettingsOf(draft)}
      write={(body) => call(changeReportSettings, { body })}
    >
      {(form) => (
        <>
          <PercentField
            label={LABELS.hurdle}
            description="What capital costs a year; the annualised return stands beside it."
            {...form.getInputProps('hurdle')}
          />
          <PercentField
            label={LABELS.pause_above_failed}
            description="Buying pauses while more of the last day’s settlements failed. Empty: it never does."
            placeholder="Never"
            {...form.getInputProps('pause_above_failed')}
          />
        </>
      )}
    </SettingsCard>
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
