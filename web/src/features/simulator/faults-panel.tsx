import { addFault, clearFaults, faultForm, type SimulatorState } from '@dutchbook/contract/simulator.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { numberFrom } from '../system-settings/number-from.ts';
import styles from './simulator.module.css';

type Waiting = SimulatorState['faults'][number];

const wordsOf = (name: string) => name.replaceAll('_', ' ');

const COLUMNS: readonly Column<Waiting & { id: string }>[] = [
  { key: 'name', header: 'Fault', cell: ({ name }) => wordsOf(name) },
  { key: 'remaining', header: 'Strikes Still', align: 'end', cell: ({ remaining }) => String(remaining) },
];

type Draft = { name: string; times: string };
const faultOf = ({ name, times }: Draft) => ({ name, times: numberFrom(times) as number });
const rules = rulesOf(faultForm);

/** How the exchange misbehaves on request. */
export function FaultsPanel({ names, waiting }: { names: readonly string[]; waiting: readonly Waiting[] }) {
  const { form, submit, sending } = useContractForm<Draft, unknown>({
    initialValues: { name: '', times: '1' },
    problems: (values) => rules(faultOf(values)),
    send: (values) => call(addFault, { body: faultOf(values) }),
    meta: { success: 'The exchange will misbehave.' },
    onSent: () => {},
  });
  const clear = useSingleMutation({
    mutationFn: () => call(clearFaults, {}),
    meta: { success: 'All faults were taken away.' },
  });
  return (
    <Panel
      title="Faults"
      aside={
        <Button
          size="xs"
          variant="default"
          disabled={waiting.length === 0}
          loading={clear.isPending}
          onClick={() => clear.start()}
        >
          Take All Away
        </Button>
      }
    >
      {waiting.length === 0 ? (
        <p className="hint">None waits: the exchange behaves.</p>
      ) : (
        <DataTable
          label="Faults that wait"
          columns={COLUMNS}
          rows={waiting.map((fault, place) => ({ ...fault, id: `${place} ${fault.name}` }))}
        />
      )}
      <form className={styles.fields} noValidate onSubmit={submit}>
        <NativeSelect
          label="Fault"
          data={[{ value: '', label: 'Choose one' }, ...names.map((name) => ({ value: name, label: wordsOf(name) }))]}
          {...form.getInputProps('name')}
        />
        <TextInput label="Times" inputMode="numeric" {...form.getInputProps('times')} />
        <div className={styles.actions}>
          <Button type="submit" variant="default" loading={sending}>
            Add Fault
          </Button>
        </div>
      </form>
    </Panel>
  );
}
