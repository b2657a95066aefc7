import { type KeyboardEvent, type PointerEvent, useEffect, useId, useState } from 'react';
import { Finder, type FinderProps } from './finder.tsx';
import styles from './palette.module.css';

type BoxProps = Omit<FinderProps, 'typed' | 'onType'>;

/** Leads to any screen, opportunity, batch, event or relation, and does what is done most, by a few typed letters. */
export function Palette({ opened, ...props }: BoxProps & { opened: boolean }) {
  return opened && <Box {...props} />;
}

/** No dialog of the component library: opening and closing one takes longer than a press may until it is painted. */
function Box(props: BoxProps) {
  const { onClose } = props;
  const titleId = useId();
  const [typed, setTyped] = useState('');
  // Read before the field takes the focus.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Not from a dialog that the palette has opened.
      if (before instanceof HTMLElement && document.activeElement === document.body)
        before.focus({ preventScroll: true });
    },
    [before],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose();
    // The field is all that can have the focus.
    if (event.key === 'Tab') event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.target === event.currentTarget) onClose();
  };
  return (
    <div className={styles.overlay} onPointerDown={onPointerDown}>
      <div role="dialog" aria-modal="true" aria-labelledby={titleId} className={styles.content} onKeyDown={onKeyDown}>
        <h2 id={titleId} className={styles.title}>
          Go To
        </h2>
        <Finder {...props} typed={typed} onType={setTyped} />
      </div>
    </div>
  );
}
