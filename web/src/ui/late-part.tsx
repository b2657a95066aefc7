import { type ComponentType, type FunctionComponent, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { lateCode } from './late-code.ts';

/**
 * A part of a page whose code is fetched when it is first shown; `meanwhile` stands in its place. When the code cannot be
 * fetched, its place is left empty: the page around it stays.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): FunctionComponent<Props> {
  const code = lateCode(load);
  return function LatePart(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | 'missing'>();
    useEffect(() => {
      code.whenHere(
        (part) => setPart(() => part),
        () => setPart('missing'),
      );
    }, []);
    if (Part === undefined) return meanwhile;
    return Part === 'missing' ? null : <Part {...props} />;
  };
}

type Opening = { opened: boolean; onClose: (running: boolean) => void };

/**
 * A dialog whose code is fetched when it is first opened. When that cannot be fetched it closes again, so that what opens
 * it tries anew.
 */
export function lateDialog<Props extends Opening>(load: () => Promise<ComponentType<Props>>): FunctionComponent<Props> {
  const code = lateCode(load);
  return function LateDialog(props: Props) {
    const { opened, onClose } = props;
    const [Dialog, setDialog] = useState<ComponentType<Props>>();
    const close = useEffectEvent(() => onClose(false));
    useEffect(() => {
      if (!opened) return;
      code.whenHere(
        (dialog) => setDialog(() => dialog),
        () => close(),
      );
    }, [opened]);
    return Dialog && <Dialog {...props} />;
  };
}
