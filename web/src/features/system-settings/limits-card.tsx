import { LIMITS, type LimitName, type Limits, writeLimits } from '@dutchbook/contract/limits.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { SavedForm, useSavedForm } from '../../forms/saved-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DollarField } from './dollar-field.tsx';
import { changedLimits, LIMIT_NAMES, type LimitsDraft, limitsDraftOf, limitsProblems } from './limits-draft.ts';
import { amountOf } from './number-from.ts';
import { RehearseButton } from './rehearse-button.tsx';
import { limitsQuery } from './settings-queries.ts';

/** How much may be bought, and how much of that is used. */
export function LimitsCard() {
  return (
    <Panel title="Limits">
      <Loaded of={useQuery(limitsQuery)} text="Error loading the limits" height={320}>
        {(limits) => <LimitsForm saved={limits} />}
      </Loaded>
    </Panel>
  );
}

function LimitsForm({ saved }: { saved: Limits }) {
  const client = useQueryClient();
  const limits = useSavedForm({
    saved,
    draftOf: limitsDraftOf,
    meaningOf: amountOf,
    problems: (draft: LimitsDraft) => limitsProblems(draft, saved.required),
    send: (draft) => call(writeLimits, { body: changedLimits(saved, draft) }),
    success: 'Limits updated successfully.',
    onSaved: (now) => client.setQueryData(limitsQuery.queryKey, now),
  });
  const { form } = limits;
  return (
    <SavedForm
      form={limits}
      action="Set Limits"
      canUndo
      lastChange={saved}
      before={
        <RehearseButton
          action="Set Limits"
          isChanged={limits.isChanged}
          changes={() => (form.validate().hasErrors ? null : { limits: changedLimits(saved, form.values) })}
        />
      }
    >
      <p className="hint">
        In dollars, fees included. {saved.required ? 'All four are required on this venue.' : 'Empty is no limit.'} No
        order that would go beyond one is placed, by hand or automatically.
      </p>
      {LIMIT_NAMES.map((name) => (
        <DollarField
          key={name}
          label={LIMITS[name]}
          description={usedOf(name, saved)}
          placeholder={saved.required ? '' : 'No limit'}
          {...form.getInputProps(name)}
        />
      ))}
    </SavedForm>
  );
}

/** What counts towards a limit at this moment. */
function usedOf(name: LimitName, { placed_today_usd, open_exposure_now_usd }: Limits): string | undefined {
  if (name === 'per_day_usd') return `${formatUsd(placed_today_usd)} placed since midnight UTC.`;
  if (name === 'open_exposure_usd') return `${formatUsd(open_exposure_now_usd)} in positions and open orders now.`;
  return undefined;
}
