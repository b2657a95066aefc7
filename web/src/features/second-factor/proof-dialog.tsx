import { codeForm, proveSecondFactor, startProof } from '@dutchbook/contract/second-factor.ts';
import { Button, TextInput } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { stayInField } from '../../ui/form-buttons.tsx';
import { signWithPasskey } from './passkey-prompt.ts';

type ProofDialogProps = { opened: boolean; hasPasskey: boolean; onProven: () => void; onClose: () => void };

/** Asks for the second factor once more; what waits for it goes on once it was proven. */
export function ProofDialog({ opened, hasPasskey, onProven, onClose }: ProofDialogProps) {
  const { form, submit, sending } = useContractForm({
    initialValues: { code: '' },
    problems: rulesOf(codeForm),
    send: (body) => call(proveSecondFactor, { body }),
    meta: { changesNothing: true },
    onSent: onProven,
  });
  const withPasskey = useSingleMutation({
    mutationFn: async () => {
      const { options } = await call(startProof, {});
      return call(proveSecondFactor, { body: { passkey: await signWithPasskey(options) } });
    },
    onSuccess: onProven,
    meta: { changesNothing: true },
  });
  return (
    <Dialog opened={opened} onClose={onClose} title="Prove That It Is You">
      <form className="stack" noValidate onSubmit={submit}>
        <p>This needs your second factor once more. It is not asked for again for five minutes.</p>
        <TextInput
          label="Code"
          description="Of your authenticator, or a recovery code"
          autoComplete="one-time-code"
          data-autofocus
          {...form.getInputProps('code')}
        />
        <ButtonRow>
          {hasPasskey && (
            <Button
              variant="default"
              loading={withPasskey.isPending}
              onMouseDown={stayInField}
              onClick={() => withPasskey.start()}
            >
              Use Passkey
            </Button>
          )}
          <Button variant="default" onMouseDown={stayInField} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Continue
          </Button>
        </ButtonRow>
      </form>
    </Dialog>
  );
}
