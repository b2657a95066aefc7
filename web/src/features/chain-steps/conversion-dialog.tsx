import type { ChainQuota, ChainStep } from '@dutchbook/contract/chain-steps.ts';
import type { Submitted } from '@dutchbook/contract/exits.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { Button, Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useId } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useSimulation, waitFor } from '../../calls/use-simulation.ts';
import { useTrade } from '../../calls/use-trade.ts';
import { DealFoot } from '../../ui/deal-foot.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';
import { useIsDisarmed } from '../status/system-status.ts';
import styles from './chain-steps.module.css';
import { submittedWords } from './chain-words.ts';
import { conversionRefusal } from './conversion-refusal.ts';

/** Quota and prices move, and the stream does not tell of what they make of a plan. */
const PLAN_INTERVAL_MS = 5_000;

type Plan = {
  steps: readonly Pick<ChainStep, 'kind'>[];
  quota: ChainQuota | null;
  errors: readonly string[];
};

type ConversionDialogProps<Planned extends Plan> = {
  opened: boolean;
  onClose: (isSubmitting: boolean) => void;
  title: string;
  /** Where it is converted. */
  venue?: VenueName | undefined;
  /** What it is called, and what the button says. */
  action: string;
  simulate: () => Promise<Planned>;
  submit: (idempotencyKey: string) => Promise<Submitted>;
  /** What would be done. */
  children: (plan: Planned) => ReactNode;
};

/** Shows what converting shares into dollars would do, again and again while it is looked at, and then has it done. */
export function ConversionDialog<Planned extends Plan>(props: ConversionDialogProps<Planned>) {
  const { opened, onClose, title, venue, action, simulate: ask, submit, children } = props;
  const client = useQueryClient();
  const { shown, isPending: isAsking, simulate, follow } = useSimulation((_asked: undefined) => ask());
  const { start, isPending, lostAnswerOf } = useTrade<Submitted>({
    send: (_input, idempotencyKey) => submit(idempotencyKey),
    onSuccess: ({ submissions }) => {
      toastSuccess(submittedWords(submissions));
      void readAgain(client);
      onClose(false);
    },
    failure: `${action} failed`,
    unknown: 'The answer was lost, so it is not known whether it is planned.',
  });
  const askAgain = useEffectEvent(() => follow(undefined));
  useEffect(() => simulate(undefined), [simulate]);
  const isWatched = opened && !isPending && !isAsking;
  useEffect(() => {
    if (!isWatched) return;
    const timer = setTimeout(askAgain, Math.max(PLAN_INTERVAL_MS, waitFor(shown)));
    return () => clearTimeout(timer);
  }, [isWatched, shown]);
  const isDisarmed = useIsDisarmed(venue);
  const plan = shown !== undefined && 'simulation' in shown ? shown.simulation : undefined;
  const isLost = lostAnswerOf() !== undefined;
  const refusal = isLost ? undefined : conversionRefusal(shown, isDisarmed);
  const stateId = useId();
  const state = isPending ? ASKING : isLost ? LOST : (refusal ?? PROMISE);
  return (
    <Dialog opened={opened} title={title} size="min(880px, 100%)" onClose={() => onClose(isPending)} unsaved={false}>
      <div className={styles.conversion}>
        {shown === undefined && <Skeleton height={180} />}
        {shown !== undefined && 'error' in shown && (
          <Note tone="error" title="What this would do is not known" lines={[errorText(shown.error)]} />
        )}
        {plan !== undefined && children(plan)}
        {plan !== undefined && plan.errors.length > 0 && (
          <Note tone="error" title="This cannot be done now" lines={plan.errors} />
        )}
        <DealFoot stateId={stateId} state={state} isUnknown={isLost && !isPending}>
          <Button variant="default" onClick={() => onClose(isPending)}>
            {isPending ? 'Close' : 'Cancel'}
          </Button>
          {/* Marked rather than disabled: what blocks it may pass by itself, and the focus would be gone. */}
          <Button
            data-disabled={refusal !== undefined}
            aria-disabled={refusal !== undefined}
            aria-describedby={stateId}
            loading={isPending}
            onClick={() => refusal === undefined && start()}
          >
            {action}
          </Button>
        </DealFoot>
      </div>
    </Dialog>
  );
}

const PROMISE = 'Plans this. It is sent at once, and its submission shows what becomes of it.';
const ASKING = 'Planning. The server finishes this even if you close the dialog.';
const LOST =
  'The answer was lost, so it is not known whether this is planned. Ask again: the server knows that it is the same request, and does nothing twice.';
