import { clearCache } from '@dutchbook/contract/system-settings.ts';
import { Box, Button, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { call } from '../../calls/call.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { UnsavedChanges } from '../../forms/unsaved-changes.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Later, useInSlices } from '../../ui/use-in-slices.ts';
import { DiscoveryCard } from './discovery-card.tsx';
import { ExitsCards } from './exits-card.tsx';
import { FindSetting } from './find-setting.tsx';
import { LimitsCards } from './limits-card.tsx';
import { ReportCard } from './report-card.tsx';
import { SavedTogether } from './save-all.tsx';
import { SecurityCard } from './security-card.tsx';
import { SettingsForm } from './settings-form.tsx';
import { settingsQuery } from './settings-queries.ts';
import { Subjects } from './subjects.tsx';
import styles from './system-settings.module.css';

/** Everything that decides what is bought; for superusers only. */
export function SystemSettings() {
  const read = useQuery(settingsQuery);
  const settings = useInSlices(read.data);
  const column = useRef<HTMLDivElement>(null);
  return (
    <>
      <SystemSettingsHeader withActions />
      <LoadError of={read} text="Error loading system settings" />
      {settings === undefined && read.error === null && <LoadingSettings />}
      {settings !== undefined && <FindSetting of={column} />}
      {settings !== undefined && (
        <div className={styles.page}>
          <div ref={column} className={styles.column}>
            <SavedTogether>
              <SettingsForm
                saved={settings}
                after={{
                  Prices: <DiscoveryCard />,
                  Size: <LimitsCards />,
                  'Retries and timeouts': (
                    <Later>
                      <ExitsCards />
                      <SecurityCard />
                      <ReportCard />
                    </Later>
                  ),
                }}
              />
            </SavedTogether>
          </div>
          <Subjects of={column} />
        </div>
      )}
      <UnsavedChanges />
    </>
  );
}

export function SystemSettingsHeader({ withActions = false }: { withActions?: boolean }) {
  return (
    <PageHeader
      title="System Settings"
      back={<BackLink to="/admin">Users Management</BackLink>}
      actions={withActions ? <ClearCacheButton /> : undefined}
    />
  );
}

export function LoadingSettings() {
  return (
    <p role="status" className={styles.loading}>
      <Loader size="xs" /> Loading system settings...
    </p>
  );
}

function ClearCacheButton() {
  const client = useQueryClient();
  const { start, isPending } = useSingleMutation({
    mutationFn: () => call(clearCache, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
    meta: { success: 'Settings cache cleared successfully.' },
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" />}
      loading={isPending}
      title="Forgets what is cached of the venue and of the settings, in every process"
      onClick={() => start()}
    >
      Clear Cache
    </Button>
  );
}

/** What an ordinary user gets to see, without any call. */
export function AccessDenied() {
  return (
    <div className="lines">
      <PageHeader title="Access Denied" />
      <Box component="p" mt={-6} mb={18} className="muted">
        You need superuser privileges to access this page.
      </Box>
      <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
        Back to the Dashboard
      </Button>
    </div>
  );
}
