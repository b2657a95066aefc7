import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Icon } from './icons.tsx';

function BackAnchor({ children, ...anchor }: ComponentProps<'a'>) {
  return (
    <a {...anchor}>
      <Icon name="back" size={16} />
      {children}
    </a>
  );
}

/** The way back from a page, in its header. */
export const BackLink = createLink(BackAnchor);
