import type { SignOff } from '@dutchbook/contract/sign-offs.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ageWords } from '../../ui/age-words.ts';
import { useByNow } from '../../ui/use-now.ts';
import { openSignOffsQuery } from '../sign-offs/sign-off-queries.ts';

const SHOWN = 3;

/** The first open sign-offs, each with the time until it expires. */
export function SignOffLines({ isSuperuser }: { isSuperuser: boolean }) {
  const { data } = useQuery(openSignOffsQuery);
  const more = (data?.count ?? 0) - SHOWN;
  return (
    <>
      {data?.data.slice(0, SHOWN).map((signOff) => (
        <Line key={signOff.id} of={signOff} isSuperuser={isSuperuser} />
      ))}
      {more > 0 && (
        <li>
          {more} more {more === 1 ? 'waits' : 'wait'} for a sign-off
        </li>
      )}
    </>
  );
}

function Line({ of: { id, summary, requested_by, expires_at }, isSuperuser }: { of: SignOff; isSuperuser: boolean }) {
  const left = useByNow((nowMs) => ageWords(expires_at, nowMs));
  const words = `${requested_by} asks for a sign-off, which ends ${left}: ${summary}`;
  return (
    <li>
      {isSuperuser ? (
        <Link to="/admin/sign-offs" hash={id}>
          {words}
        </Link>
      ) : (
        words
      )}
    </li>
  );
}
