import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { useCallback } from 'react';
import { CensusPage } from '../../../features/relations/census-page.tsx';

/** What somebody asks the reason of: an address, an id or a text. */
type Asked = { why?: string };

const WHY_LENGTH_MAX = 500;

export const Route = createFileRoute('/_shell/discover/census')({
  validateSearch: ({ why }: Asked & SearchSchemaInput): Asked => {
    const asked = String(why ?? '')
      .trim()
      .slice(0, WHY_LENGTH_MAX);
    return asked === '' ? {} : { why: asked };
  },
  component: DiscoverCensusPage,
});

function DiscoverCensusPage() {
  const { why } = Route.useSearch();
  const navigate = Route.useNavigate();
  const ask = useCallback((asked: string) => void navigate({ search: asked === '' ? {} : { why: asked } }), [navigate]);
  return <CensusPage why={why ?? ''} onAsk={ask} />;
}
