import {
  readTelegram,
  type TelegramConfig,
  telegramChanges,
  writeTelegram,
} from '@dutchbook/contract/notification-sending.ts';
import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { SavedForm, useSavedForm } from '../../forms/saved-form.tsx';
import styles from './sending-card.module.css';
import { sendingStatusQuery } from './sending-status.ts';

type Draft = { bot_token: string; chat_id: string; mute_user_ids: string; command_user_ids: string; enabled: boolean };

/** The bot and the chat. The token is written and never read again. */
export function TelegramForm({ saved }: { saved: TelegramConfig }) {
  const client = useQueryClient();
  const sending = useSavedForm({
    rewrites: true,
    saved,
    draftOf,
    problems: (draft) => changeRules(changesOf(draft)),
    send: (draft) => call(writeTelegram, { body: changesOf(draft) }),
    success: 'Telegram channel updated successfully.',
    onSaved: (config) => {
      client.setQueryData(telegramQuery.queryKey, config);
      void client.invalidateQueries({ queryKey: sendingStatusQuery.queryKey });
    },
  });
  const { form } = sending;
  return (
    <SavedForm action="Set Channel" form={sending} className={styles.form}>
      <TextInput
        type="password"
        label="Bot token"
        description="As BotFather has given it. It is stored encrypted and never shown again."
        placeholder={saved.configured ? 'Stored; type another to replace it' : ''}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('bot_token')}
      />
      <TextInput
        label="Chat ID"
        description="A number, or @ and the name of a public channel."
        autoComplete="off"
        {...form.getInputProps('chat_id')}
      />
      <TextInput
        label="User IDs that may mute"
        description="Telegram user IDs, separated by commas. Empty: no one may mute from the chat."
        autoComplete="off"
        {...form.getInputProps('mute_user_ids')}
      />
      <TextInput
        label="User IDs that may send commands"
        description="They may ask for /status and /positions, and /disarm trading. Empty: no command is read."
        autoComplete="off"
        {...form.getInputProps('command_user_ids')}
      />
      <Checkbox label="Send to this chat" {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </SavedForm>
  );
}

/** A channel that is set up for the first time is meant to be used. */
function draftOf({ configured, chat_id, enabled, mute_user_ids, command_user_ids }: TelegramConfig): Draft {
  return {
    bot_token: '',
    chat_id: chat_id ?? '',
    mute_user_ids: mute_user_ids.join(', '),
    command_user_ids: command_user_ids.join(', '),
    enabled: enabled || !configured,
  };
}

const changeRules = rulesOf(telegramChanges);

function changesOf(draft: Draft) {
  const { bot_token: token, chat_id: chatId, enabled } = draft;
  return {
    ...(token.trim() !== '' && { bot_token: token.trim() }),
    chat_id: chatId.trim() === '' ? null : chatId.trim(),
    mute_user_ids: userIdsIn(draft.mute_user_ids),
    command_user_ids: userIdsIn(draft.command_user_ids),
    enabled,
  };
}

/** What is no number becomes one that no user has, and is refused with the others. */
function userIdsIn(text: string): number[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : 0));
}

/** For superusers only. */
export const telegramQuery = callQuery(['telegram'], readTelegram, {});
