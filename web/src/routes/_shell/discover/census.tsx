import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { useCallback } from 'react';
import { CensusPage } from '../../../features/relations/census-page.tsx';

/** What a reason is asked of: an address, an id or a text; and the venue that is counted, else all. */
type Asked = { why?: string; venue?: VenueName };

const WHY_LENGTH_MAX = 500;

export const Route = createFileRoute('/_shell/discover/census')({
  validateSearch: ({ why, venue }: Asked & SearchSchemaInput): Asked => {
    const asked = String(why ?? '')
      .trim()
      .slice(0, WHY_LENGTH_MAX);
    const known = VENUE_NAMES.find((name) => name === venue);
    return { ...(asked !== '' && { why: asked }), ...(known && { venue: known }) };
  },
  component: DiscoverCensusPage,
});

function DiscoverCensusPage() {
  const { why, venue } = Route.useSearch();
  const navigate = Route.useNavigate();
  const ask = useCallback(
    (asked: string) => void navigate({ search: { ...(asked !== '' && { why: asked }), ...(venue && { venue }) } }),
    [navigate, venue],
  );
  const choose = (chosen: VenueName | undefined) =>
    void navigate({ search: { ...(why && { why }), ...(chosen && { venue: chosen }) } });
  return <CensusPage why={why ?? ''} onAsk={ask} venue={venue} onVenue={choose} />;
}
