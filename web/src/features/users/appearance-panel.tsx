import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';

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
      <SegmentedControl<MantineColorScheme>
        aria-label="Theme"
        size="sm"
        style={{ justifySelf: 'start' }}
        data={CHOICES}
        value={colorScheme}
        onChange={setColorScheme}
      />
    </div>
  );
}
