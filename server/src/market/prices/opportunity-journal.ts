/** Notes the opportunities that this engine follows, and how they stand to their triggers. */
import { nameOfQuotes } from '@dutchbook/engine/opportunity/name.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { JournaledOpportunity } from '../decision-journal/journaled.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import type { Quotes } from '../markets/live-quotes.ts';
import type { Tracked } from './tracked.ts';

export type OpportunityJournal = {
  /** The opportunity is followed from now on, or was edited. */
  follow: (tracked: Tracked) => void;
  drop: (tracked: Tracked) => void;
  /** Notes opportunities that rose to their trigger, fell below it or were recorded since: each once. */
  noteMoved: () => void;
};

export function noteFollowed(
  journal: DecisionJournal,
  {
    opportunities,
    quotes,
    partitions,
  }: { opportunities: { all: () => Iterable<Tracked> }; quotes: Pick<Quotes, 'current'>; partitions: Partitions },
): OpportunityJournal {
  const standing = (tracked: Tracked): JournaledOpportunity => {
    const { row, positions, aboveTrigger } = tracked;
    const { targetPrice, relationId, basis, rises } = row;
    tracked.noted = { aboveTrigger, rises };
    return {
      targetPrice,
      positions,
      relationId,
      basis,
      title: nameOfQuotes(quotes.current(positions)),
      aboveTrigger,
      rises,
    };
  };
  const isOurs = ({ row }: Tracked) => row.active && partitions.owns(row.id);
  const follow = (tracked: Tracked) => {
    if (isOurs(tracked)) journal.note('opportunity', tracked.row.id, standing(tracked));
    else drop(tracked);
  };
  const drop = (tracked: Tracked) => {
    const { id } = tracked.row;
    if (partitions.owns(id)) journal.note('opportunity', id, null);
    else journal.leave('opportunity', id);
    tracked.noted = null;
  };
  journal.onRetell(function* () {
    for (const tracked of opportunities.all()) {
      if (isOurs(tracked)) yield { topic: 'opportunity', subject: tracked.row.id, data: standing(tracked) };
    }
  });
  return {
    follow,
    drop,
    noteMoved: () => {
      for (const tracked of opportunities.all()) {
        const { noted, aboveTrigger, row } = tracked;
        if (noted !== null && (noted.aboveTrigger !== aboveTrigger || noted.rises !== row.rises)) follow(tracked);
      }
    },
  };
}
