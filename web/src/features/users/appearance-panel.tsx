import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { Segments } from '../../forms/segments.tsx';

const CHOICES = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light Mode' },
  { value: 'dark', label: 'Dark Mode' },
] satisfies { value: MantineColorScheme; label: string }[];

/** Light or dark, kept in this browser alone. */
export function AppearancePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="stack">
      <p>System follows the setting of this device. The choice is kept in this browser.</p>
      <Segments<MantineColorScheme> aria-label="Theme" data={CHOICES} value={colorScheme} onChange={setColorScheme} />
    </div>
  );
}
