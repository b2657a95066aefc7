import { LIMITS, type LimitName, type Limits, writeLimits } from '@dutchbook/contract/limits.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { useRebased } from '../../forms/rebase.ts';
import { useUnsaved } from '../../forms/unsaved.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorBar } from '../../ui/states.tsx';
import styles from './limits-card.module.css';
import {
  changedLimits,
  isChanged,
  LIMIT_NAMES,
  type LimitsDraft,
  limitsDraftOf,
  limitsProblems,
  rebased,
} from './limits-draft.ts';
import { limitsQuery } from './settings-queries.ts';

/** How much may be bought, and how much of that is used. */
export function LimitsCard() {
  const { data: limits, error, refetch, isFetching } = useQuery(limitsQuery);
  return (
    <Panel title="Limits">
      {error && (
        <ErrorBar text="Error loading the limits" detail={errorText(error)} onRetry={refetch} retrying={isFetching} />
      )}
      {limits ? <LimitsForm saved={limits} /> : error === null && <Skeleton height={320} />}
    </Panel>
  );
}

function LimitsForm({ saved }: { saved: Limits }) {
  const { form, submit, sending } = useLimitsForm(saved);
  const changed = isChanged(saved, form.values);
  useUnsaved(changed);
  const undo = () => {
    form.setValues(limitsDraftOf(saved));
    form.clearErrors();
  };
  return (
    <form noValidate onSubmit={submit} className={styles.form}>
      <p className={styles.intro}>
        In dollars, fees included. {saved.required ? 'All four are required on this venue.' : 'Empty is no limit.'} No
        order that would go beyond one is placed, by hand or automatically.
      </p>
      {LIMIT_NAMES.map((name) => (
        <TextInput
          key={name}
          label={LIMITS[name]}
          description={usedOf(name, saved)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={saved.required ? '' : 'No limit'}
          inputMode="decimal"
          autoComplete="off"
          leftSection={<span aria-hidden="true">$</span>}
          leftSectionPointerEvents="none"
          {...form.getInputProps(name)}
        />
      ))}
      {saved.changed_at !== null && (
        <p className={styles.changed}>
          Changed <LocalTime at={saved.changed_at} /> by {saved.changed_by ?? 'somebody who is gone'}.
        </p>
      )}
      <ButtonRow>
        <Button variant="default" disabled={!changed || sending} onClick={undo}>
          Undo
        </Button>
        <Button type="submit" disabled={!changed} loading={sending}>
          Set Limits
        </Button>
      </ButtonRow>
    </form>
  );
}

function useLimitsForm(saved: Limits) {
  const client = useQueryClient();
  const contractForm = useContractForm({
    initialValues: limitsDraftOf(saved),
    problems: (draft: LimitsDraft) => limitsProblems(draft, saved.required),
    send: (draft) => call(writeLimits, { body: changedLimits(saved, draft) }),
    meta: { success: 'Limits updated successfully.' },
    onSent: (limits) => client.setQueryData(limitsQuery.queryKey, limits),
  });
  useRebased(contractForm.form, saved, rebased);
  return contractForm;
}

/** What counts towards a limit at this moment. */
function usedOf(name: LimitName, { placed_today_usd, open_exposure_now_usd }: Limits): string | undefined {
  if (name === 'per_day_usd') return `${formatUsd(placed_today_usd)} placed since midnight UTC.`;
  if (name === 'open_exposure_usd') return `${formatUsd(open_exposure_now_usd)} in positions and open orders now.`;
  return undefined;
}
