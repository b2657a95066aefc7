import { useEffect } from 'react';
import { useLink } from '../../live/live.ts';
import { setTitleCount } from '../../ui/document-title.ts';
import { useApprovalProblems } from '../chain-steps/approval-problems.ts';
import { useHasChannel } from '../notifications/sending-status.ts';
import { feedStates, useSystemStatus } from '../status/system-status.ts';
import { countOf, NOTHING_WAITS, needsOf } from './needs.ts';

/** Counts in the title of the tab, on every page, what *Needs You* of the dashboard lists. It draws nothing itself. */
export function NeedsCount() {
  const status = useSystemStatus();
  const hasChannel = useHasChannel();
  const feeds = feedStates(useLink(), status);
  const approvals = useApprovalProblems()?.length;
  const count =
    status === undefined
      ? 0
      : countOf(needsOf({ status, waiting: status.waiting ?? NOTHING_WAITS, hasChannel, feeds, approvals }));
  useEffect(() => {
    setTitleCount(count);
    return () => setTitleCount(0);
  }, [count]);
  return null;
}
