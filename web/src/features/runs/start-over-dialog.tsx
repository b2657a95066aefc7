import { beginStartOver, startOverForm } from '@dutchbook/contract/accounts/runs.ts';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { numberFrom } from '../system-settings/number-from.ts';
import { runsKey } from './runs-query.ts';

type Draft = { cash_usd: string };

const sentOf = ({ cash_usd: cash }: Draft) => ({ cash_usd: numberFrom(cash) as number });
const rules = rulesOf(startOverForm);
const BEGINNING: Draft = { cash_usd: '1000' };

/** Ends the run of paper trading and begins another. A form has one id, so that however often it is sent it asks once. */
export function StartOverDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [id, setId] = useState(() => crypto.randomUUID());
  return (
    <FormDialog
      opened={opened}
      onClose={() => {
        setId(crypto.randomUUID());
        onClose();
      }}
      title="Start Over"
      action="Start Over"
      color="red"
      initialValues={BEGINNING}
      problems={(draft: Draft) => rules(sentOf(draft))}
      send={(draft: Draft) => call(beginStartOver, { body: { ...sentOf(draft), id } })}
      meta={{ success: 'The run ends. The new one begins within minutes.' }}
      onSent={() => void readAgain(client, [...runsKey])}
    >
      {(form) => (
        <>
          <p className="hint">
            Everything that is held is closed at what is bid for it, all cash leaves the account, and the new cash
            comes, at each venue. What has no bid is closed for nothing. The run stays in the Report, under Run. Trading
            stays disarmed.
          </p>
          <TextInput
            label="Cash of the New Run"
            description="Dollars"
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('cash_usd')}
          />
        </>
      )}
    </FormDialog>
  );
}
