import { useEffect, useState } from 'react';
import { onProofNeeded } from '../../calls/proof.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const ProofDialog = lazyDialog(() => import('./proof-dialog.tsx').then((code) => code.ProofDialog));

type Asked = { hasPasskey: boolean; answer: (isProven: boolean) => void };

/** Stands once on every page, and asks for the second factor when a call needs it once more. */
export function ProofAsker() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => onProofNeeded((hasPasskey) => new Promise((answer) => setAsked({ hasPasskey, answer }))), []);
  if (asked === undefined) return null;
  const end = (isProven: boolean) => {
    asked.answer(isProven);
    setAsked(undefined);
  };
  return <ProofDialog opened hasPasskey={asked.hasPasskey} onProven={() => end(true)} onClose={() => end(false)} />;
}
