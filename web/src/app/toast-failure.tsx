import { toastProblem } from '../ui/toasts.tsx';
import { ApiError, toastText, UNEXPLAINED } from './api-error.ts';

/** Several calls are refused together when a session ends; one toast says so. */
export const SESSION_ENDED = 'session-ended';

/** Tells that a call failed: `what` names the action, the server's reason stands under it. */
export function toastFailure(error: unknown, { what, id }: { what?: string | undefined; id?: string } = {}): void {
  const ended = error instanceof ApiError && error.endsSession;
  const why = toastText(error);
  const message = what === undefined || ended ? why : <FailedAction what={what} why={why} />;
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
