import { createContext, type ReactNode, use } from 'react';

/** Why whoever is signed in may change nothing; undefined where they may. */
export const ChangeRefusal = createContext<string | undefined>(undefined);

/** Buttons that change something: off for whoever may not, and they say why. */
export function Changing({ children }: { children: ReactNode }) {
  const refusal = use(ChangeRefusal);
  if (refusal === undefined) return children;
  return (
    <fieldset disabled title={refusal} aria-label={refusal} style={{ display: 'contents' }}>
      {children}
    </fieldset>
  );
}
