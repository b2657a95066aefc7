import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { useOnScreen } from '../../ui/use-on-screen.ts';
import { Gain } from './gain.tsx';
import { portfolioQuery } from './portfolio-query.ts';

const READ_AGAIN_MS = 10_000;

/** What the holdings are worth, in a line; read only while it is looked at. */
export function HeldLine() {
  const { target, onScreen } = useOnScreen<HTMLSpanElement>();
  const { data, error } = useQuery({ ...portfolioQuery, enabled: onScreen, refetchInterval: READ_AGAIN_MS });
  return (
    <span ref={target} className="hint" style={{ display: 'block', minHeight: '1lh' }}>
      {data === undefined && error !== null && 'what is held is not known'}
      {data !== undefined && (
        <>
          {formatUsd(data.value_usd)} held <Gain usd={data.unrealised_usd} /> unrealised
        </>
      )}
    </span>
  );
}
