import { ALERTS_MAX, type Alert } from '@dutchbook/contract/attention.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../calls/loaded.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ownAlertsQuery, useAlertsRefresh, useDeleteAlert } from './alert-queries.ts';

const NAME: Column<Alert> = {
  key: 'name',
  header: 'Opportunity',
  wide: true,
  cell: ({ opportunity_id: opportunityId, opportunity_name: name }) => (
    <Link to="/arbitrage/$opportunityId" params={{ opportunityId }}>
      {name}
    </Link>
  ),
};

const COLUMNS: readonly Column<Alert>[] = [
  { key: 'at', header: 'At', align: 'end', cell: ({ at_percentage }) => formatPercent(at_percentage) },
  { key: 'state', header: 'State', cell: (alert) => <State of={alert} /> },
  {
    key: 'fired',
    header: 'Last Told',
    cell: ({ fired_at: at }) => (at === null ? <span className="muted">Never</span> : <Moment at={at} />),
  },
  { key: 'mail', header: 'Email', cell: ({ by_mail }) => (by_mail ? 'Yes' : 'No') },
  { key: 'actions', header: 'Actions', align: 'end', cell: (alert) => <DeleteButton of={alert} /> },
];

function State({ of: { armed, active } }: { of: Alert }) {
  if (!active) return <StatusBadge tone="inactive">Opportunity inactive</StatusBadge>;
  return armed ? <StatusBadge tone="active">Waiting</StatusBadge> : <StatusBadge tone="success">Reached</StatusBadge>;
}

function DeleteButton({ of: { id, opportunity_name: name, at_percentage: at } }: { of: Alert }) {
  const deletion = useDeleteAlert();
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={deletion.isPending}
      aria-label={`Delete the alert at ${formatPercent(at)} of ${name}`}
      onClick={() => deletion.mutate(id)}
    >
      Delete
    </Button>
  );
}

/** `ofOne`: they are of one opportunity, which need not be named. */
export function AlertTable({ rows, ofOne = false }: { rows: readonly Alert[]; ofOne?: boolean }) {
  return <DataTable label="Alerts" columns={ofOne ? COLUMNS : [NAME, ...COLUMNS]} rows={rows} />;
}

/** The own alerts, of all opportunities. */
export function AlertsPanel() {
  useAlertsRefresh();
  const read = useQuery(ownAlertsQuery);
  return (
    <Panel title="Alerts">
      <Loaded of={read} text="Error loading your alerts" height={120}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="hint">
              You have none. Alert Me on the page of an opportunity, or in the menu of its row, tells you when its
              profit reaches a percentage.
            </p>
          ) : (
            <>
              <AlertTable rows={data} />
              <p className="hint">
                {data.length} of {ALERTS_MAX} alerts.
              </p>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
