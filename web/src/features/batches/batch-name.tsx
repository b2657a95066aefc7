import { Link } from '@tanstack/react-router';
import { NameCell } from '../../lists/name-cell.tsx';
import { nameParts } from '../../lists/name-parts.ts';
import { CopiedId } from '../../ui/copyable.tsx';

/** A batch in a row of something else: what it was called, with the way to it, and beneath it its id, which a press copies. */
export function BatchName({ id, name, last }: { id: string; name: string | null; last?: string | undefined }) {
  const { about, kind } = nameParts(name ?? 'Batch');
  return (
    <NameCell
      about={about}
      last={last}
      link={
        <Link to="/batches/$batchId" params={{ batchId: id }}>
          {about}
        </Link>
      }
    >
      {kind !== null && <span>{kind}</span>}
      <CopiedId id={id} what="Batch ID" />
    </NameCell>
  );
}
