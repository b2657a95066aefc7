import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import type { MutationMeta } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { fieldProblems } from '../calls/api-error.ts';
import { useSingleMutation } from '../calls/single-mutation.ts';

export type ContractForm<Values, Reply> = {
  initialValues: Values;
  /** The problem of each field that has one, by the rules of the contract. */
  problems: (values: Values) => Record<string, string>;
  send: (values: Values) => Promise<Reply>;
  meta?: MutationMeta;
  onSent: (reply: Reply) => void;
};

/**
 * A form that judges a field when it is left, by the same rules as the server, and sends itself when all are kept; what
 * the server then refuses stands at the field it names. `submit` goes to the first field that is wrong.
 */
export function useContractForm<Values extends Record<string, unknown>, Reply>({
  initialValues,
  problems,
  send,
  meta,
  onSent,
}: ContractForm<Values, Reply>): {
  form: UseFormReturnType<Values>;
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  sending: boolean;
} {
  const form = useForm<Values>({ initialValues, validate: problems, validateInputOnBlur: true });
  const focusFirst = (errors: FormErrors) => {
    const first = Object.keys(initialValues).find((name) => errors[name]);
    if (first !== undefined) form.getInputNode(first)?.focus();
  };
  const { start, isPending } = useSingleMutation({
    mutationFn: send,
    onSuccess: onSent,
    onError: (error) => {
      const refused = fieldProblems(error);
      form.setErrors(refused as Partial<Record<keyof Values, string>>);
      focusFirst(refused);
    },
    ...(meta === undefined ? {} : { meta }),
  });
  return { form, submit: form.onSubmit(start, focusFirst), sending: isPending };
}
