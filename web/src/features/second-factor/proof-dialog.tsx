import { codeForm, proveSecondFactor, startProof } from '@dutchbook/contract/second-factor.ts';
import { Button, TextInput } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { DialogForm } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { stayInField } from '../../ui/form-buttons.tsx';
import { signWithPasskey } from './passkey-prompt.ts';

type ProofDialogProps = { opened: boolean; hasPasskey: boolean; onProven: () => void; onClose: () => void };

/** Asks for the second factor once more; what waits for it goes on once it was proven. */
export function ProofDialog({ opened, hasPasskey, onProven, onClose }: ProofDialogProps) {
  const withPasskey = useSingleMutation({
    mutationFn: async () => {
      const { options } = await call(startProof, {});
      return call(proveSecondFactor, { body: { passkey: await signWithPasskey(options) } });
    },
    onSuccess: onProven,
    meta: { changesNothing: true },
  });
  const usePasskey = (
    <Button
      variant="default"
      loading={withPasskey.isPending}
      onMouseDown={stayInField}
      onClick={() => withPasskey.start()}
    >
      Use Passkey
    </Button>
  );
  return (
    <Dialog opened={opened} onClose={onClose} title="Prove That It Is You">
      <DialogForm
        action="Continue"
        other={hasPasskey && usePasskey}
        initialValues={{ code: '' }}
        problems={rulesOf(codeForm)}
        send={(body) => call(proveSecondFactor, { body })}
        meta={{ changesNothing: true }}
        onSent={onProven}
        onClose={onClose}
      >
        {(form) => (
          <>
            <p>This needs your second factor once more. It is not asked for again for five minutes.</p>
            <TextInput
              label="Code"
              description="Of your authenticator, or a recovery code"
              autoComplete="one-time-code"
              data-autofocus
              {...form.getInputProps('code')}
            />
          </>
        )}
      </DialogForm>
    </Dialog>
  );
}
