import {
  ATTENTION_KINDS,
  type AttentionChoices,
  type AttentionKind,
  writeAttention,
} from '@dutchbook/contract/attention.ts';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Note } from '../../ui/states.tsx';
import { KIND_WORDS } from './attention-kinds.ts';
import styles from './attention-panel.module.css';
import { attentionQuery } from './attention-query.ts';
import { askPermission, type Permission, permissionNow, showInBrowser } from './browser-notification.ts';
import { playSound } from './sound.ts';

type Way = keyof AttentionChoices;

const WAYS: readonly { way: Way; label: string }[] = [
  { way: 'sounds', label: 'Sound' },
  { way: 'browser', label: 'Browser' },
];

/** What makes a sound or a notification of the browser, each with a button to try it. */
export function AttentionPanel() {
  const read = useQuery(attentionQuery);
  const [permission, setPermission] = useState(permissionNow);
  return (
    <Panel title="Sound and Browser Notifications">
      <p className="hint">
        Chosen for your account, in all of your browsers; at first nothing is on. One tab of several sounds, at most
        once a second, and not for what you did yourself. A browser lets a page sound only after a click or a key in it.
      </p>
      <Loaded of={read} text="Error loading what you have chosen" height={280}>
        {(chosen) => <Kinds chosen={chosen} onAsked={setPermission} />}
      </Loaded>
      <PermissionNote of={permission} onAsked={setPermission} />
    </Panel>
  );
}

type KindsProps = { chosen: AttentionChoices; onAsked: (permission: Permission) => void };

function Kinds({ chosen, onAsked }: KindsProps) {
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: (body: AttentionChoices) => call(writeAttention, { body }),
    onSuccess: (saved) => client.setQueryData(attentionQuery.queryKey, saved),
    meta: { failure: 'Failed to save what you have chosen' },
  });
  const shown = saving.isPending ? saving.variables : chosen;
  const choose = (way: Way, kind: AttentionKind, isOn: boolean) => {
    if (way === 'browser' && isOn) void askIfNeeded().then(onAsked);
    const others = shown[way].filter((each) => each !== kind);
    saving.mutate({ ...shown, [way]: isOn ? [...others, kind] : others });
  };
  return (
    <div className={styles.kinds}>
      <div className={styles.heads} aria-hidden="true">
        <span />
        {WAYS.map(({ way, label }) => (
          <span key={way}>{label}</span>
        ))}
        <span />
      </div>
      {ATTENTION_KINDS.map((kind) => (
        <div key={kind} className={styles.row}>
          <span className={styles.kind}>
            <strong>{KIND_WORDS[kind].label}</strong>
            <span className="hint"> {KIND_WORDS[kind].when}</span>
          </span>
          {WAYS.map(({ way, label }) => (
            <label key={way} className={styles.box}>
              <input
                type="checkbox"
                aria-label={`${KIND_WORDS[kind].label}: ${label}`}
                checked={shown[way].includes(kind)}
                onChange={({ currentTarget }) => choose(way, kind, currentTarget.checked)}
              />
            </label>
          ))}
          <TryButton kind={kind} />
        </div>
      ))}
    </div>
  );
}

async function askIfNeeded(): Promise<Permission> {
  const permission = permissionNow();
  return permission === 'default' ? await askPermission() : permission;
}

/** Sounds, and shows what the browser allows. */
function TryButton({ kind }: { kind: AttentionKind }) {
  const { label, when } = KIND_WORDS[kind];
  const tryIt = () => {
    void playSound(kind);
    showInBrowser({ id: `try ${kind}`, title: label, text: `A try: ${when}.`, onOpen: () => undefined });
  };
  return (
    <Button size="xs" variant="default" aria-label={`Try ${label}`} onClick={tryIt}>
      Try
    </Button>
  );
}

type PermissionNoteProps = { of: Permission; onAsked: (permission: Permission) => void };

/** Whether this browser shows notifications, which it alone decides. */
function PermissionNote({ of: permission, onAsked }: PermissionNoteProps) {
  if (permission === 'granted') return <p className="hint">This browser shows notifications of this page.</p>;
  if (permission === 'denied')
    return (
      <Note
        tone="warning"
        title="This browser shows no notifications of this page: they were refused."
        lines={[
          'Allow them in the settings of the browser for this site, then reload the page. Sounds are not affected.',
        ]}
      />
    );
  if (permission === 'unsupported')
    return (
      <Note
        tone="inactive"
        title="This browser can show no notifications here."
        lines={['It needs an address that begins with https, or this machine’s own. Sounds are not affected.']}
      />
    );
  return (
    <p className="row">
      <span className="hint">This browser was not asked yet whether it shows notifications of this page.</span>
      <Button size="xs" variant="default" onClick={() => void askPermission().then(onAsked)}>
        Allow Browser Notifications
      </Button>
    </p>
  );
}
