import { clearCache } from '@dutchbook/contract/system-settings.ts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { Icon } from '../../ui/icons.tsx';
import { settingsQuery } from './settings-queries.ts';

export function ClearCacheButton() {
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
