import { codeForm } from '@dutchbook/contract/second-factor.ts';
import { Button } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { EntryField, EntryForm } from '../../ui/entry-form.tsx';
import { signWithPasskey } from './passkey-prompt.ts';

/** What the user proves beside the password. */
export type Factor = { code?: string; passkey?: string };

/** The server's refusal: why, and what the browser asks passkeys with, where there are some. */
export type AskedFactor = { detail: string; second_factor: unknown; passkey_options?: object };

type SecondStepProps = {
  asked: AskedFactor;
  sending: boolean;
  onGiven: (factor: Factor) => void;
  onClose: () => void;
};

const problemsOf = rulesOf(codeForm);

/** Comes after the right password of an account that has a second factor. */
export function SecondStep({ asked, sending, onGiven, onClose }: SecondStepProps) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  // What is wrong with an answer is shown in passing; the question stays.
  const [question] = useState(asked.detail);
  const { passkey_options: passkeyOptions } = asked;
  const passkey = useSingleMutation({
    mutationFn: (options: object) => signWithPasskey(options),
    onSuccess: (answer) => onGiven({ passkey: answer }),
    onError: ({ message }) => setProblem(message),
    meta: { quiet: true, changesNothing: true },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = problemsOf({ code }).code ?? '';
    setProblem(found);
    if (found === '') onGiven({ code });
  };
  return (
    <EntryForm
      action="Log In"
      submit={submit}
      sending={sending}
      links={
        <Button variant="subtle" size="compact-sm" onClick={onClose}>
          Back to the Password
        </Button>
      }
    >
      <p>{question}</p>
      {passkeyOptions !== undefined && (
        <Button
          variant="default"
          size="md"
          fullWidth
          loading={passkey.isPending}
          onClick={() => passkey.start(passkeyOptions)}
        >
          Use Passkey
        </Button>
      )}
      <EntryField
        label="Code"
        description="Of your authenticator, or a recovery code if you have lost it"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        error={problem}
        onChange={({ currentTarget }) => {
          setCode(currentTarget.value);
          setProblem('');
        }}
      />
    </EntryForm>
  );
}
