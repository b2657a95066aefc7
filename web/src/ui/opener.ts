/** What had the focus last. Where nothing fades, the menu a dialog was chosen from is gone before the dialog opens. */
let last: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  last = openerOf(target);
});

/** What a dialog that opens now was opened from, and what gets the focus back when it closes. */
export function currentOpener(): HTMLElement | null {
  const focused = document.activeElement;
  return focused === document.body ? last : openerOf(focused);
}

/** The button of a menu rather than its entry, which is gone when the dialog closes. */
function openerOf(focused: EventTarget | null): HTMLElement | null {
  if (!(focused instanceof HTMLElement)) return null;
  const menuButton = focused.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return menuButton ? document.getElementById(menuButton) : focused;
}
