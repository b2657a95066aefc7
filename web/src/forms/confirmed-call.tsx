import type { MutationMeta } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useSingleMutation } from '../calls/single-mutation.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

type ConfirmedCallProps<Reply> = Omit<ComponentProps<typeof ConfirmDialog>, 'onConfirm' | 'pending'> & {
  send: () => Promise<Reply>;
  /** What follows once it has been done; the dialog stays until this is over, and closes. */
  onDone?: () => unknown;
  /** What the toasts say. */
  meta?: MutationMeta;
};

/** Makes a call once that has been confirmed. */
export function ConfirmedCall<Reply>({ send, onDone, meta = {}, ...dialog }: ConfirmedCallProps<Reply>) {
  const { start, isPending } = useSingleMutation({
    mutationFn: send,
    onSuccess: async () => {
      // A row that goes has to be gone before the dialog gives the focus back to it.
      await onDone?.();
      dialog.onClose();
    },
    meta,
  });
  return <ConfirmDialog {...dialog} onConfirm={() => start()} pending={isPending} />;
}
