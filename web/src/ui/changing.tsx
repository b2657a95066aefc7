import { createContext, type ReactNode, use } from 'react';

/** Why the signed-in user may change nothing; undefined where they may. */
export const ChangeRefusal = createContext<string | undefined>(undefined);

/** Buttons that change something: disabled for users who may not, with the reason. */
export function Changing({ children }: { children: ReactNode }) {
  const refusal = use(ChangeRefusal);
  if (refusal === undefined) return children;
  return (
    <fieldset disabled title={refusal} aria-label={refusal} style={{ display: 'contents' }}>
      {children}
    </fieldset>
  );
}
