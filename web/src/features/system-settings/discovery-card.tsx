import { type DiscoverySettings, writeDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import { Button, Skeleton, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
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
import styles from './discovery-card.module.css';
import {
  changedDiscovery,
  type DiscoveryDraft,
  type DiscoverySwitch,
  discoveryDraftOf,
  discoveryProblems,
  isDiscoveryChanged,
  rebasedDiscovery,
} from './discovery-draft.ts';
import field from './setting-field.module.css';
import { discoverySettingsQuery } from './settings-queries.ts';

type Switch = { name: DiscoverySwitch; label: string; effect: string };

const READING: readonly Switch[] = [
  { name: 'enabled', label: 'Discovery', effect: 'The events of the venue are read and their relations watched.' },
];
const KINDS: readonly Switch[] = [
  { name: 'pair', label: 'Pair', effect: 'The two outcomes of one market pay a dollar together.' },
  { name: 'at_most_one', label: 'At most one', effect: 'No two members come true together.' },
  { name: 'exactly_one', label: 'Exactly one', effect: 'One member comes true, and only one.' },
  { name: 'ladder', label: 'Ladder', effect: 'Each member implies all that follow it.' },
  { name: 'buckets', label: 'Buckets', effect: 'Ranges of one variable against thresholds on it.' },
];
const PLACING: readonly Switch[] = [
  {
    name: 'auto_place_found',
    label: 'Place found opportunities automatically',
    effect: 'Where AUTO_PLACE_ORDER_ENABLED is on and no gate refuses.',
  },
];

/** What discovery does with what it finds. */
export function DiscoveryCard() {
  const { data: settings, error, refetch, isFetching } = useQuery(discoverySettingsQuery);
  return (
    <Panel title="Discovery">
      {error && (
        <ErrorBar
          text="Error loading the discovery settings"
          detail={errorText(error)}
          onRetry={refetch}
          retrying={isFetching}
        />
      )}
      {settings ? <DiscoveryForm saved={settings} /> : error === null && <Skeleton height={480} />}
    </Panel>
  );
}

function DiscoveryForm({ saved }: { saved: DiscoverySettings }) {
  const { form, submit, sending } = useDiscoveryForm(saved);
  const changed = isDiscoveryChanged(saved, form.values);
  useUnsaved(changed);
  const undo = () => {
    form.setValues(discoveryDraftOf(saved));
    form.clearErrors();
  };
  return (
    <form noValidate onSubmit={submit} className={styles.form}>
      <Switches of={READING} form={form} />
      <fieldset className={styles.kinds}>
        <legend>Kinds that trade without approval</legend>
        <p className={styles.muted}>Where the basis is enforced or declared; the others always need approval.</p>
        <Switches of={KINDS} form={form} />
      </fieldset>
      <TextInput
        label="Least profit"
        description="Dollars that a hit must make at its best size to become an opportunity."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        inputMode="decimal"
        autoComplete="off"
        leftSection={<span aria-hidden="true">$</span>}
        leftSectionPointerEvents="none"
        {...form.getInputProps('min_profit_usd')}
      />
      <Switches of={PLACING} form={form} />
      {saved.changed_at !== null && (
        <p className={styles.muted}>
          Changed <LocalTime at={saved.changed_at} /> by {saved.changed_by ?? 'somebody who is gone'}.
        </p>
      )}
      <ButtonRow>
        <Button variant="default" disabled={!changed || sending} onClick={undo}>
          Undo
        </Button>
        <Button type="submit" disabled={!changed} loading={sending}>
          Set Discovery
        </Button>
      </ButtonRow>
    </form>
  );
}

function useDiscoveryForm(saved: DiscoverySettings) {
  const client = useQueryClient();
  const contractForm = useContractForm({
    initialValues: discoveryDraftOf(saved),
    problems: discoveryProblems,
    send: (draft: DiscoveryDraft) => call(writeDiscoverySettings, { body: changedDiscovery(saved, draft) }),
    meta: { success: 'Discovery settings updated successfully.' },
    onSent: (settings) => client.setQueryData(discoverySettingsQuery.queryKey, settings),
  });
  useRebased(contractForm.form, saved, rebasedDiscovery);
  return contractForm;
}

function Switches({ of, form }: { of: readonly Switch[]; form: UseFormReturnType<DiscoveryDraft> }) {
  return of.map(({ name, label, effect }) => (
    <div key={name} className={styles.switch}>
      <label htmlFor={`discovery-${name}`}>{label}</label>
      <input
        id={`discovery-${name}`}
        type="checkbox"
        role="switch"
        className={field.switch}
        aria-checked={form.values[name]}
        aria-describedby={`discovery-${name}-effect`}
        {...form.getInputProps(name, { type: 'checkbox', withError: false })}
      />
      <p id={`discovery-${name}-effect`} className={styles.muted}>
        {effect}
      </p>
    </div>
  ));
}
