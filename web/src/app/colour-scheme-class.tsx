import { useComputedColorScheme } from '@mantine/core';
import { useLayoutEffect } from 'react';

/** Keeps the class on `<html>` in step with the colour scheme, beside Mantine's own attribute. */
export function ColourSchemeClass() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useLayoutEffect(() => {
    const { classList } = document.documentElement;
    classList.toggle('dark', scheme === 'dark');
    classList.toggle('light', scheme === 'light');
  }, [scheme]);
  return null;
}
