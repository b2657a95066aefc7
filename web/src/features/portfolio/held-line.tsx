import type { Portfolio } from '@dutchbook/contract/portfolio.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { useOnScreen } from '../../ui/use-on-screen.ts';
import { Gain } from './gain.tsx';
import { sumsOf } from './holding-groups.ts';
import { portfolioQuery } from './portfolio-query.ts';

const READ_AGAIN_MS = 10_000;

/** What the holdings are worth, in a line; read only while it is looked at. */
export function HeldLine() {
  const { target, onScreen } = useOnScreen<HTMLSpanElement>();
  const { data, error } = useQuery({ ...portfolioQuery, enabled: onScreen, refetchInterval: READ_AGAIN_MS });
  return (
    <span ref={target} className="hint" style={{ display: 'block', minHeight: '1lh' }}>
      {data === undefined && error !== null && 'what is held is not known'}
      {data !== undefined && <Worth of={data} />}
    </span>
  );
}

function Worth({ of: { holdings } }: { of: Portfolio }) {
  const { value, unrealised } = sumsOf(holdings);
  if (value === null || unrealised === null) return 'no price of what is held is known';
  return (
    <>
      {formatUsd(value)} held <Gain usd={unrealised} /> unrealised
    </>
  );
}
