import {
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  type SecondFactor,
} from '@dutchbook/contract/second-factor.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { AuthenticatorDialog } from './authenticator-dialog.tsx';
import { Passkeys } from './passkeys.tsx';
import { LOSES_CODES, RecoveryCodes } from './recovery-codes.tsx';

const KEY = ['second-factor'];

/** What the own account asks for besides the password. */
export function SecondFactorPanel() {
  const client = useQueryClient();
  const read = useQuery(callQuery(KEY, readSecondFactor, {}));
  const changed = () => {
    for (const queryKey of [KEY, currentUserQuery.queryKey]) void client.invalidateQueries({ queryKey });
  };
  return (
    <div className="stack">
      <p>
        A stolen password alone is not enough to log in. The second factor is asked for again before trading is armed,
        limits are set or a secret is shown.
      </p>
      <Loaded of={read} text="Error loading the second factor" height={160}>
        {(factor) => (
          <>
            <Authenticator factor={factor} onChanged={changed} />
            <Passkeys passkeys={factor.passkeys} onChanged={changed} />
            {(factor.authenticator || factor.passkeys.length > 0) && <Recovery factor={factor} onChanged={changed} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

type PartProps = { factor: SecondFactor; onChanged: () => void };

function Authenticator({ factor, onChanged }: PartProps) {
  const [opened, setOpened] = useState(false);
  const end = () => {
    setOpened(false);
    onChanged();
  };
  return (
    <>
      {factor.authenticator ? (
        <p>An authenticator is set up.</p>
      ) : (
        <Button style={{ justifySelf: 'end' }} onClick={() => setOpened(true)}>
          Set Up Authenticator
        </Button>
      )}
      {opened && <AuthenticatorDialog opened onDone={end} onClose={end} />}
    </>
  );
}

function Recovery({ factor, onChanged }: PartProps) {
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [asking, setAsking] = useState(false);
  const renewal = useSingleMutation({
    mutationFn: () => call(renewRecoveryCodes, {}),
    onSuccess: ({ recovery_codes }) => {
      setCodes(recovery_codes);
      onChanged();
    },
    meta: { failure: 'No new recovery codes were made' },
  });
  return (
    <>
      <p>
        {factor.recovery_codes_left} of 10 recovery codes are left{factor.recovery_codes_left < 3 && ': make new ones'}.
      </p>
      <ButtonRow>
        <Button variant="default" loading={renewal.isPending} onClick={() => renewal.start()}>
          New Recovery Codes
        </Button>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          Remove Second Factor
        </Button>
      </ButtonRow>
      <Dialog opened={codes.length > 0} onClose={() => setCodes([])} title="Recovery Codes" unsaved={LOSES_CODES}>
        <RecoveryCodes codes={codes} onKept={() => setCodes([])} />
      </Dialog>
      <ConfirmedCall
        opened={asking}
        title="Remove Second Factor"
        confirm="Remove"
        send={() => call(disableSecondFactor, {})}
        onDone={onChanged}
        meta={{
          success: 'The password alone opens your account from now on.',
          failure: 'The second factor is still there',
        }}
        onClose={() => setAsking(false)}
      >
        <p>Authenticator, passkeys and recovery codes are forgotten, and the password alone opens your account.</p>
      </ConfirmedCall>
    </>
  );
}
