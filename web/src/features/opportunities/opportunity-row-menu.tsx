import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { shortId } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useCheckPrices, useDeleteOpportunity } from './opportunity-actions.ts';

type RowMenuProps = { id: string; name: string; onDeleted: (id: string) => void };

/** A row's menu; remembered, because it costs more to render than the prices that change beside it. */
export const OpportunityRowMenu = memo(function OpportunityRowMenu({ id, name, onDeleted }: RowMenuProps) {
  const check = useCheckPrices('Failed to check arbitrage opportunity');
  const askAndDelete = useDeleteOpportunity(() => onDeleted(id));
  return (
    <RowMenu of={shortId(id)}>
      <Menu.Item
        leftSection={<Icon name="eye" size={16} />}
        renderRoot={(props) => <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} {...props} />}
      >
        View Details
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="refresh" size={16} />} onClick={() => check.mutate(id)}>
        Check Prices
      </Menu.Item>
      <Menu.Item
        c="var(--error-ink)"
        leftSection={<Icon name="trash" size={16} />}
        onClick={() => askAndDelete(id, name)}
      >
        Delete
      </Menu.Item>
    </RowMenu>
  );
});
