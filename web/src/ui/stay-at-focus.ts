import type { FocusEvent } from 'react';

/**
 * What opens above a page is given the focus twice, the second time after a quick key may have led on. The attribute is
 * what is looked for then: it goes along with the focus, so that the focus stays where somebody has moved it.
 */
export function stayAtFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  for (const marked of currentTarget.querySelectorAll('[data-autofocus]')) marked.removeAttribute('data-autofocus');
  if (target !== currentTarget) target.setAttribute('data-autofocus', '');
}
