import { toastNotifications, toastProblem } from '../ui/toasts.tsx';
import { ApiError, HeldHere, ShownRefusal, toastText, UNEXPLAINED } from './api-error.ts';

/** Several calls are refused together when a session ends; one toast says so. */
export const SESSION_ENDED = 'session-ended';

type Said = { what?: string | undefined; why?: string; id?: string };

/** Tells that a call failed: `what` names the action, and `why`, or the server's reason, stands under it. */
export function toastFailure(error: unknown, { what, why, id }: Said = {}): void {
  if (error instanceof ShownRefusal) return;
  if (error instanceof HeldHere) {
    toastNotifications('Not stored yet', error.message, 'held');
    return;
  }
  const ended = error instanceof ApiError && error.endsSession;
  const text = toastText(error);
  const message = what === undefined || ended ? text : <FailedAction what={what} why={why ?? text} />;
  toastProblem(message, ended ? SESSION_ENDED : id);
}

function FailedAction({ what, why }: { what: string; why: string }) {
  return (
    <>
      <p>{what}</p>
      {why !== UNEXPLAINED && <p>{why}</p>}
    </>
  );
}
