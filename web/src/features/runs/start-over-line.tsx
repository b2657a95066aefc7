import { formatUsd } from '@dutchbook/units/usd.ts';
import { useRuns } from './runs-query.ts';

/** How far the account is with starting over, or why it did not; nothing otherwise. */
export function StartOverLine() {
  const last = useRuns()?.start_over;
  if (!last || last.status === 'done') return null;
  const what = `Starting over with ${formatUsd(last.cash_usd)}`;
  const text = last.status === 'rejected' ? `${what} was given up, and nothing was closed` : what;
  return (
    <p className="hint" role="status">
      {last.reason === null ? `${text}.` : `${text}: ${last.reason}`}
    </p>
  );
}
