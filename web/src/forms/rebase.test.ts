import { expect, it } from 'vitest';
import { rebasedFields } from './rebase.ts';

it('follows what another tab has saved, but for the fields that are being typed into', () => {
  const before = { chat_id: '1', enabled: true, bot_token: '' };
  const typing = { chat_id: '1', enabled: true, bot_token: '12:ab' };
  const saved = { chat_id: '2', enabled: false, bot_token: '' };
  expect(rebasedFields(typing, before, saved)).toEqual({ chat_id: '2', enabled: false, bot_token: '12:ab' });
  expect(rebasedFields({ ...typing, chat_id: '3' }, before, saved)).toMatchObject({ chat_id: '3', enabled: false });
});
