import { useEffect, useState } from 'react';
import { ApiError } from '../../calls/api-error.ts';
import { onRefusal } from '../../calls/call.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const ProofDialog = lazyDialog(() => import('./proof-dialog.tsx').then((code) => code.ProofDialog));

type Asked = { hasPasskey: boolean; answer: (isProven: boolean) => void };

/** Stands once on every page, and asks for the second factor when a call needs it once more. */
export function ProofAsker() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    onRefusal(async (refusal) => {
      const methods = neededIn(refusal);
      return methods !== null && new Promise((answer) => setAsked({ hasPasskey: methods.includes('passkey'), answer }));
    });
    return () => onRefusal(undefined);
  }, []);
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

type Needed = { second_factor?: readonly string[]; second_factor_needed?: boolean } | null;
