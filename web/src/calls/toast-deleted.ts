import { toastSuccess, toastUndoable } from '../ui/toasts.tsx';
import { toastFailure } from './toast-failure.tsx';

/** Says that something was deleted, and brings it back where that is asked for; `refresh` shows that it is there again. */
export function toastDeleted(message: string, restore: () => Promise<unknown>, refresh: () => unknown): void {
  toastUndoable(message, () => {
    restore().then(
      () => {
        refresh();
        toastSuccess('The deletion was undone');
      },
      (error: unknown) => toastFailure(error, { what: 'The deletion was not undone' }),
    );
  });
}
