import { advanceClock, clockForm } from '@dutchbook/contract/simulator.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { Button, TextInput } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import { Figures, Panel } from '../../ui/panel.tsx';
import { numberFrom } from '../system-settings/number-from.ts';
import styles from './simulator.module.css';

const MINUTE_MS = 60_000;
const STEPS = { '1 hour': 60, '1 day': 1_440, '7 days': 10_080 } as const;

const minutesOf = ({ minutes }: { minutes: string }) => ({ minutes: numberFrom(minutes) as number });
const rules = rulesOf(clockForm);

/** The exchange's clock, which that of the product follows. */
export function ClockPanel({ now, aheadMs }: { now: Instant; aheadMs: number }) {
  const { form, submit, sending } = useContractForm({
    initialValues: { minutes: '60' },
    problems: (values) => rules(minutesOf(values)),
    send: (values) => call(advanceClock, { body: minutesOf(values) }),
    meta: { success: 'The clock was moved ahead.' },
    onSent: () => {},
  });
  return (
    <Panel title="Clock">
      <Figures
        figures={[
          { name: 'Now There', value: <LocalTime at={now} /> },
          { name: 'Ahead of This Machine', value: aheadMs === 0 ? '–' : `${Math.round(aheadMs / MINUTE_MS)} min` },
        ]}
      />
      <form className={styles.fields} noValidate onSubmit={submit}>
        <TextInput
          label="Minutes"
          description="The product's clock follows. It never goes back."
          inputMode="numeric"
          {...form.getInputProps('minutes')}
        />
        <div className={styles.actions}>
          {Object.entries(STEPS).map(([words, minutes]) => (
            <Button key={words} variant="default" onClick={() => form.setFieldValue('minutes', String(minutes))}>
              {words}
            </Button>
          ))}
          <Button type="submit" loading={sending}>
            Move Ahead
          </Button>
        </div>
      </form>
    </Panel>
  );
}
