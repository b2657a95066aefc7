import { ActionIcon, Menu } from '@mantine/core';
import {
  createContext,
  type MouseEventHandler,
  type ReactNode,
  type Ref,
  use,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Icon } from './icons.tsx';
import { type MenuEntry, MenuItems } from './menu-items.tsx';
import styles from './row-menu.module.css';

/** The menu as it stands at one row's button. */
type Shown = { button: HTMLButtonElement; entries: readonly MenuEntry[] };

type RowMenus = { openAt: HTMLButtonElement | undefined; show: (shown: Shown) => void };

const RowMenuContext = createContext<RowMenus>({ openAt: undefined, show: () => {} });

/** A key may be pressed before the menu has the focus, while the button still has it: that is not outside of the menu. */
const POINTER_EVENTS = ['mousedown', 'touchstart'];

/** The one menu of all rows of a table: it opens at the button that was pressed. */
export function SharedRowMenu({ children }: { children: ReactNode }) {
  const [shown, show] = useState<Shown>();
  const [opened, setOpened] = useState(false);
  const open = useCallback((next: Shown) => {
    show(next);
    setOpened(true);
  }, []);
  const openAt = opened ? shown?.button : undefined;
  const menus = useMemo(() => ({ openAt, show: open }), [openAt, open]);
  return (
    <>
      <RowMenuContext value={menus}>{children}</RowMenuContext>
      <Menu opened={opened} onChange={setOpened} position="bottom-end" clickOutsideEvents={POINTER_EVENTS}>
        {shown &&
          createPortal(
            <Menu.Target>
              <Anchor opened={opened} />
            </Menu.Target>,
            shown.button.parentElement ?? document.body,
          )}
        <Menu.Dropdown aria-labelledby={shown?.button.id}>
          <MenuItems entries={shown?.entries.map((entry) => givingFocusBack(entry, shown.button)) ?? []} />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

type AnchorProps = { opened: boolean; ref?: Ref<HTMLSpanElement>; onClick?: MouseEventHandler };

/** Where the menu stands; what the menu would say of it to those who cannot see, the button says. */
function Anchor({ opened, ref, onClick }: AnchorProps) {
  return <span ref={ref} className={styles.anchor} data-opened={opened} aria-hidden="true" onClick={onClick} />;
}

/** A dialog that an entry opens gives the focus back to what has it then: the button, as the entry is gone by that time. */
function givingFocusBack(entry: MenuEntry, button: HTMLButtonElement): MenuEntry {
  const { onChoose } = entry;
  if (onChoose === undefined) return entry;
  return {
    ...entry,
    onChoose: () => {
      button.focus({ preventScroll: true });
      onChoose();
    },
  };
}

type RowMenuProps = { of: string; disabled?: boolean; busy?: boolean; entries: readonly MenuEntry[] };

/** The button that ends a row and opens its menu; `of` names the row for those who cannot see it. */
export function RowMenu({ of, disabled = false, busy = false, entries }: RowMenuProps) {
  const { openAt, show } = use(RowMenuContext);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isOpen = openAt !== undefined && openAt === button.current;
  // A row changes also while its menu is open.
  useEffect(() => {
    if (isOpen && button.current) show({ button: button.current, entries });
  }, [isOpen, entries, show]);
  return (
    <span className={styles.place}>
      <ActionIcon
        ref={button}
        id={id}
        variant="subtle"
        color="gray"
        size="md"
        disabled={disabled}
        loading={busy}
        aria-label={`Actions for ${of}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          // Not every browser gives a button that is clicked the focus, which the menu returns when it closes.
          currentTarget.focus({ preventScroll: true });
          show({ button: currentTarget, entries });
        }}
      >
        <Icon name="dots" />
      </ActionIcon>
    </span>
  );
}
