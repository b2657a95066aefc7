import { settingWords } from '@dutchbook/contract/notes/setting-labels.ts';
import type { RehearsalChanges } from '@dutchbook/contract/rehearsals.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useSystemStatus } from '../status/system-status.ts';
import { settingsBesideQuery } from './settings-queries.ts';

const RehearseDialog = lazyDialog(() =>
  import('../rehearsals/rehearse-dialog.tsx').then((code) => code.RehearseDialog),
);

type RehearseButtonProps = {
  /** What stands in the form otherwise than it is saved; null where something is wrong, which the form then says. */
  changes: () => RehearsalChanges | null;
  isChanged: boolean;
  /** What the button says that saves the form in which this one stands. */
  action: string;
};

/** Tries what stands in the form on the past, before it is saved. */
export function RehearseButton({ changes, isChanged, action }: RehearseButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  const [about, setAbout] = useState<RehearsalChanges>({});
  const notPlaced = useNotPlaced();
  const open = () => {
    const given = changes();
    if (given === null) return;
    setAbout(given);
    setOpened(true);
  };
  const close = () => setOpened(false);
  const onSave = () => {
    close();
    button.current?.form?.requestSubmit();
  };
  return (
    <>
      <Button
        ref={button}
        variant="default"
        disabled={!isChanged}
        title={isChanged ? 'Tries these changes on what was recorded' : 'Nothing is changed'}
        onClick={open}
      >
        Rehearse
      </Button>
      <RehearseDialog opened={opened} onClose={close} changes={about} notPlaced={notPlaced} save={{ action, onSave }} />
    </>
  );
}

/** Why nothing is placed automatically as things are; null where it is, or that is not known. */
function useNotPlaced(): string | null {
  const status = useSystemStatus();
  const { data: settings } = useQuery(settingsBesideQuery);
  if (status?.armed === false) return 'Trading is disarmed: without it, no batch would have been placed.';
  if (settings?.AUTO_PLACE_ORDER_ENABLED === false)
    return `${settingWords('AUTO_PLACE_ORDER_ENABLED')} is off: without it, no batch would have been placed.`;
  return null;
}
