import type { ExitRoute } from '@dutchbook/contract/portfolio.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';
import { distinct, laterWords, USABLE } from './exit-words.ts';
import styles from './ways-out.module.css';

/** What a way out brings, when its dollars can be used, and what may go wrong. */
export function WayDetails({ route, children }: { route: ExitRoute; children?: ReactNode }) {
  const { steps, net_usd } = route;
  return (
    <>
      <WayList>
        <WayDetail name="Net Dollars">{formatUsd(net_usd)}</WayDetail>
        <WayDetail name="At Resolution">{laterWords(route)}</WayDetail>
        {children}
      </WayList>
      <Words of={distinct(steps.map(({ usable }) => USABLE[usable]))} name="Usable" />
      <Words of={distinct(steps.map(({ why }) => why))} name="Risk" />
    </>
  );
}

export function WayList({ children }: { children: ReactNode }) {
  return <dl className={styles.details}>{children}</dl>;
}

export function WayDetail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Words({ of: words, name }: { of: readonly string[]; name: string }) {
  return (
    <div>
      <p className="aside">{name}</p>
      {words.map((each) => (
        <p key={each}>{each}</p>
      ))}
    </div>
  );
}
