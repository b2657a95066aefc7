import { codeForm, confirmAuthenticator, startAuthenticator, startForm } from '@dutchbook/contract/second-factor.ts';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { DialogForm } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { QrCode } from './qr-code.tsx';
import { LOSES_CODES, RecoveryCodes } from './recovery-codes.tsx';

type Started = { secret: string; uri: string };
type AuthenticatorDialogProps = { opened: boolean; onDone: () => void; onClose: () => void };

/** Password, QR code, a first code, and then the recovery codes. */
export function AuthenticatorDialog({ opened, onDone, onClose }: AuthenticatorDialogProps) {
  const [started, setStarted] = useState<Started>();
  const [codes, setCodes] = useState<readonly string[]>();
  const end = codes === undefined ? onClose : onDone;
  return (
    <Dialog
      opened={opened}
      onClose={end}
      title="Set Up Authenticator"
      {...(codes !== undefined && { unsaved: LOSES_CODES })}
    >
      {codes !== undefined && <RecoveryCodes codes={codes} onKept={onDone} />}
      {codes === undefined && started === undefined && <PasswordStep onStarted={setStarted} onClose={onClose} />}
      {codes === undefined && started !== undefined && (
        <ScanStep started={started} onConfirmed={setCodes} onClose={onClose} />
      )}
    </Dialog>
  );
}

type PasswordStepProps = { onStarted: (started: Started) => void; onClose: () => void };

function PasswordStep({ onStarted, onClose }: PasswordStepProps) {
  return (
    <DialogForm
      action="Continue"
      initialValues={{ password: '' }}
      problems={rulesOf(startForm)}
      send={(body) => call(startAuthenticator, { body })}
      meta={{ changesNothing: true }}
      onSent={onStarted}
      onClose={onClose}
    >
      {(form) => (
        <PasswordField
          label="Current Password"
          placeholder="Current Password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
      )}
    </DialogForm>
  );
}

type ScanStepProps = {
  started: Started;
  onConfirmed: (codes: readonly string[]) => void;
  onClose: () => void;
};

function ScanStep({ started, onConfirmed, onClose }: ScanStepProps) {
  return (
    <DialogForm
      action="Confirm"
      initialValues={{ code: '' }}
      problems={rulesOf(codeForm)}
      send={(body) => call(confirmAuthenticator, { body })}
      meta={{ success: 'The second factor is set up.' }}
      onSent={({ recovery_codes }) => onConfirmed(recovery_codes)}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p>Scan this with an authenticator on your phone, or type the secret into it.</p>
          <QrCode text={started.uri} label="QR code for the authenticator" />
          <Copyable text={started.secret} what="Secret" mono>
            {started.secret}
          </Copyable>
          <TextInput
            label="Code"
            description="Of six digits, which the authenticator shows now"
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
            {...form.getInputProps('code')}
          />
        </>
      )}
    </DialogForm>
  );
}
