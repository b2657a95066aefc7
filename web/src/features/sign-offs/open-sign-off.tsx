import type { User } from '@dutchbook/contract/current-user.ts';
import { approveSignOff, type SignOff, type SignOffKind, withdrawSignOff } from '@dutchbook/contract/sign-offs.ts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { toastProblem, toastSuccess } from '../../ui/toasts.tsx';
import { signOffsKey } from './sign-off-queries.ts';
import styles from './sign-offs.module.css';

/** What approving does, at once. */
const EFFECTS: Record<SignOffKind, string> = {
  arm: 'Approved, trading is armed at once: orders leave from then on.',
  limits: 'Approved, the limits are set at once, unless they have been changed since.',
  batch:
    'Approved, its orders leave at once at the prices of that moment, unless a gate refuses them or what you see here was changed.',
  practice_off: 'Approved, orders are not only simulated any more, and trading is disarmed until it is armed again.',
  settings: 'Approved, the settings are changed at once: less needs a second person from then on.',
};

type OpenSignOffProps = { signOff: SignOff; me: User; onReject: (signOff: SignOff) => void };

/** An open sign-off: what is asked, and the buttons that the viewer may use. */
export function OpenSignOff({ signOff, me, onReject }: OpenSignOffProps) {
  const { id, summary, requested_by, requested_by_id, expires_at, kind } = signOff;
  const isOwn = requested_by_id === me.id;
  return (
    <li id={id} className={styles.signOff} aria-label={summary}>
      <p className={styles.summary}>{summary}</p>
      <p className="muted">
        Asked by {requested_by}, ends <Moment at={expires_at} />
      </p>
      <p className="hint">
        {isOwn ? 'Another superuser has to approve it; nothing has changed before.' : EFFECTS[kind]}
      </p>
      {isOwn ? <Withdraw id={id} /> : <Decide signOff={signOff} onReject={onReject} />}
    </li>
  );
}

function Decide({ signOff, onReject }: Pick<OpenSignOffProps, 'signOff' | 'onReject'>) {
  const readAgain = useReadAgain();
  const { start, isPending } = useSingleMutation({
    mutationFn: () => call(approveSignOff, { params: { sign_off_id: signOff.id } }),
    onSuccess: ({ state, outcome }) => {
      readAgain();
      if (state === 'failed') toastProblem(`It was not done: ${outcome}`);
      else toastSuccess(`Signed off. ${outcome}`);
    },
    onError: readAgain,
    meta: { failure: 'It was not signed off' },
  });
  return (
    <ButtonRow>
      <Button variant="default" disabled={isPending} onClick={() => onReject(signOff)}>
        Reject
      </Button>
      <Button loading={isPending} onClick={() => start()}>
        Approve
      </Button>
    </ButtonRow>
  );
}

function Withdraw({ id }: { id: string }) {
  const readAgain = useReadAgain();
  const { start, isPending } = useSingleMutation({
    mutationFn: () => call(withdrawSignOff, { params: { sign_off_id: id } }),
    onSuccess: readAgain,
    onError: readAgain,
    meta: { success: 'The sign-off was withdrawn.', failure: 'Failed to withdraw the sign-off' },
  });
  return (
    <ButtonRow>
      <Button variant="default" loading={isPending} onClick={() => start()}>
        Withdraw
      </Button>
    </ButtonRow>
  );
}

function useReadAgain(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: signOffsKey });
}
