import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Greys with a breath of the accent, from text (0) to the deepest background (9). */
const dark: MantineColorsTuple = [
  '#dfe7e4',
  '#b9c5c1',
  '#94a39e',
  '#6c7b76',
  '#45524e',
  '#313d39',
  '#232d2a',
  '#18201e',
  '#121917',
  '#0c1110',
];

const closeButtonProps = { 'aria-label': 'Close' };

/** Overlays stand inside the page's main landmark, where screen readers look for them. */
const portalProps = { target: '#overlays' };

const dialogTitle = { title: { fontSize: '1.0625rem', fontWeight: 650 } };

/** Where Mantine's own shades are too faint to read, ours take their place. */
export const readableShades: CSSVariablesResolver = () => {
  const shades = {
    '--mantine-color-error': 'var(--error-ink)',
    '--mantine-color-dimmed': 'var(--ink-muted)',
    '--mantine-color-placeholder': 'var(--ink-muted)',
    '--mantine-color-red-filled-hover': '#a61e1e',
    '--mantine-color-teal-filled-hover': '#066549',
    '--mantine-primary-color-filled-hover': '#066549',
  };
  return { variables: {}, light: shades, dark: shades };
};

export const theme = createTheme({
  primaryColor: 'teal',
  // The default shade fails contrast with white text on it.
  primaryShade: { light: 9, dark: 9 },
  autoContrast: true,
  defaultRadius: 'sm',
  colors: { dark },
  black: '#14201d',
  fontFamily: 'Inter, system-ui, sans-serif',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { portalProps }, styles: dialogTitle },
    Drawer: { defaultProps: { closeButtonProps, portalProps }, styles: dialogTitle },
    Menu: { defaultProps: { portalProps, withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { portalProps } },
    Notification: { defaultProps: { closeButtonProps }, styles: { description: { color: 'var(--ink-muted)' } } },
  },
});
