import { switchSending, THROTTLE_SECONDS_MAX } from '@dutchbook/contract/notification-sending.ts';
import type { SendingStatus } from '@dutchbook/contract/sending-status.ts';
import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { SavedForm, useSavedForm } from '../../forms/saved-form.tsx';
import styles from './sending-card.module.css';
import { sendingStatusQuery } from './sending-status.ts';

type Draft = { enabled: boolean; throttle_seconds: string };

/** Whether anything is sent, and how often the same. */
export function PaceForm({ saved }: { saved: SendingStatus }) {
  const client = useQueryClient();
  const sending = useSavedForm({
    rewrites: true,
    saved,
    draftOf,
    problems: paceProblems,
    send: ({ enabled, throttle_seconds }) =>
      call(switchSending, { query: { enabled, throttle_seconds: Number(throttle_seconds) } }),
    success: 'Sending updated successfully.',
    onSaved: (status) => client.setQueryData(sendingStatusQuery.queryKey, status),
  });
  const { form } = sending;
  return (
    <SavedForm action="Set Pace" variant="default" form={sending} className={styles.form}>
      <Checkbox
        label="Send notifications"
        description="Off, they are recorded all the same, and wait for a day."
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <TextInput
        label="Seconds between two messages about the same"
        description="What comes up in between is sent together."
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('throttle_seconds')}
      />
    </SavedForm>
  );
}

function draftOf({ enabled, throttle_seconds }: SendingStatus): Draft {
  return { enabled, throttle_seconds: String(throttle_seconds) };
}

function paceProblems({ throttle_seconds: text }: Draft): Record<string, string> {
  const isRight = /^\d{1,5}$/.test(text) && Number(text) <= THROTTLE_SECONDS_MAX;
  return isRight ? {} : { throttle_seconds: `A whole number from 0 to ${THROTTLE_SECONDS_MAX}` };
}
