import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError, ShownRefusal } from '../../calls/api-error.ts';
import { onRefusal } from '../../calls/call.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const ProofDialog = lazyDialog(() => import('./proof-dialog.tsx').then((code) => code.ProofDialog));

type Asked = { hasPasskey: boolean; answer: (isProven: boolean) => void };

/**
 * Stands once on every page, and asks for the second factor when a call needs it once more. Where one needs a second person, it
 * says that they were asked.
 */
export function ProofAsker() {
  const [asked, setAsked] = useState<Asked>();
  const navigate = useNavigate();
  useEffect(() => {
    onRefusal(async (refusal) => {
      await tellOfSignOff(refusal, (hash) => void navigate({ to: '/admin/sign-offs', hash }));
      const methods = neededIn(refusal);
      return methods !== null && new Promise((answer) => setAsked({ hasPasskey: methods.includes('passkey'), answer }));
    });
    return () => onRefusal(undefined);
  }, [navigate]);
  if (asked === undefined) return null;
  const end = (isProven: boolean) => {
    asked.answer(isProven);
    setAsked(undefined);
  };
  return <ProofDialog opened hasPasskey={asked.hasPasskey} onProven={() => end(true)} onClose={() => end(false)} />;
}

/** What the second factor can be proven by, where a call was refused for want of it. */
function neededIn(refusal: unknown): readonly string[] | null {
  const { second_factor, second_factor_needed } = (refusal instanceof ApiError && (refusal.body as Needed)) || {};
  return second_factor_needed === true ? (second_factor ?? []) : null;
}

/** @throws ShownRefusal where a second person was asked, once that is shown */
async function tellOfSignOff(refusal: unknown, onOpen: (id: string) => void): Promise<void> {
  const { sign_off_id: id } = (refusal instanceof ApiError && (refusal.body as Needed)) || {};
  if (id === undefined) return;
  const { toastAsked } = await import('../sign-offs/asked-toast.tsx');
  toastAsked(refusal as ApiError, () => onOpen(id));
  throw new ShownRefusal(refusal as ApiError);
}

type Needed = { sign_off_id?: string; second_factor?: readonly string[]; second_factor_needed?: boolean } | null;
