/** What the tests that go through every screen have the server answer, beside what was recorded. */
import { readBatch } from '@dutchbook/contract/batches.ts';
import { readTelegram } from '@dutchbook/contract/notification-sending.ts';
import { readSendingStatus } from '@dutchbook/contract/sending-status.ts';
import { listSignOffs } from '@dutchbook/contract/sign-offs.ts';
import { readSignUpPolicy } from '@dutchbook/contract/users.ts';
import { recorded } from './recorded.ts';
import { server } from './screen.tsx';
import type { Wire } from './server.ts';

/** Open and decided at once, so that all that the page has stands on it. */
const SIGN_OFF: Wire<typeof listSignOffs>['data'][number] = {
  ...{
    id: recorded(readBatch).id,
    kind: 'limits',
    summary: 'Raise the limit per day from $400.00 to $1,000.00',
    state: 'open',
  },
  ...{
    requested_by: 'a.very.long.address.of.somebody.with.many.names@some-subsidiary.example.com by API token Nightly',
  },
  ...{ requested_by_id: null, requested_at: '2026-01-01T12:00:00.000Z', expires_at: '2026-01-01T12:15:00.000Z' },
  ...{ decided_by: 'admin@example.com', decided_at: '2026-01-01T12:10:00.000Z', reason: null, batch_id: null },
  outcome: 'Trading is armed.',
};

export function answerEveryScreen(): void {
  server.answer(readSendingStatus, {
    enabled: true,
    throttle_seconds: 0,
    channels: { telegram: { configured: false, enabled: false } },
  });
  server.answer(readTelegram, {
    configured: false,
    chat_id: null,
    enabled: false,
    mute_user_ids: [],
    command_user_ids: [],
  });
  server.answer(readSignUpPolicy, { policy: 'open' });
  server.answer(listSignOffs, { data: [SIGN_OFF], count: 1 });
}
