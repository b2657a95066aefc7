import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { shortId } from '../../ui/copyable.tsx';
import type { MenuEntry } from '../../ui/menu-items.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useCheckPrices, useDeleteOpportunity } from './opportunity-actions.ts';

type RowMenuProps = { id: string; name: string };

/** A row's menu; remembered, because it costs more to render than the prices that change beside it. */
export const OpportunityRowMenu = memo(function OpportunityRowMenu({ id, name }: RowMenuProps) {
  const check = useCheckPrices('Failed to check arbitrage opportunity');
  const askAndDelete = useDeleteOpportunity();
  const entries: MenuEntry[] = [
    {
      label: 'View Details',
      icon: 'eye',
      link: (props) => (
        <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} preload={false} {...props} />
      ),
    },
    { label: 'Check Prices', icon: 'refresh', onChoose: () => check.mutate(id) },
    { label: 'Delete', icon: 'trash', tone: 'danger', onChoose: () => askAndDelete(id, name) },
  ];
  return <RowMenu of={shortId(id)} entries={entries} />;
});
