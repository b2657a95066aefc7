/** The fields of System Settings that the palette leads to. */
import { LIMITS } from '@dutchbook/contract/limits.ts';
import { SETTING_LABELS } from '@dutchbook/contract/notes/setting-labels.ts';
import { anchorWords, DISCOVERY_WORDS } from '../../features/session/way-to-change.ts';
import { type PaletteEntry, settingEntry } from './palette-entries.ts';

const ANCHORS = [
  ...Object.keys(SETTING_LABELS),
  ...Object.keys(LIMITS),
  ...Object.keys(DISCOVERY_WORDS).map((name) => `discovery-${name}`),
];

export const SETTING_ENTRIES: readonly PaletteEntry[] = ANCHORS.map((anchor) =>
  settingEntry(anchor, anchorWords(anchor)),
);
