import type { ComponentPropsWithoutRef } from 'react';
import { Icon } from '../../ui/icons.tsx';
import styles from './palette.module.css';

type SearchFieldProps = {
  typed: string;
  onType: (typed: string) => void;
} & Pick<
  ComponentPropsWithoutRef<'input'>,
  'onFocus' | 'onKeyDown' | 'aria-expanded' | 'aria-controls' | 'aria-activedescendant'
>;

/** Letters go on behind those that are typed already. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true });
  field?.setSelectionRange(field.value.length, field.value.length);
}

/** The field of the palette. It has the focus as soon as it stands there. */
export function SearchField({
  typed,
  onType,
  onFocus,
  onKeyDown,
  'aria-expanded': isExpanded = false,
  'aria-controls': listId,
  'aria-activedescendant': markedId,
}: SearchFieldProps) {
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        role="combobox"
        aria-label="Search"
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-activedescendant={markedId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        ref={takeFocus}
        // Escape closes the palette alone, not a dialog of the component library under it.
        data-mantine-stop-propagation="true"
        placeholder="A screen, words or an ID; s simulates, p places, disarm stops"
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
