import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { toastProblem } from './toasts.tsx';

const NOT_LOADED = 'This part of the page could not be loaded. Try again once you are connected, or reload the page.';

type Opening = { opened: boolean; onClose: (isSubmitting: boolean) => void };

/** A dialog whose code is fetched when it is first opened. If the fetch fails, it shows a toast and closes; the page keeps working. */
export function lazyDialog<Props extends Opening>(load: () => Promise<ComponentType<Props>>) {
  return function LazyDialog(props: Props) {
    const { opened } = props;
    const [Loaded, setLoaded] = useState<ComponentType<Props>>();
    const fetchCode = useEffectEvent(() =>
      load().then(
        (dialog) => setLoaded(() => dialog),
        () => {
          toastProblem(NOT_LOADED, NOT_LOADED);
          props.onClose(false);
        },
      ),
    );
    useEffect(() => {
      if (opened) void fetchCode();
    }, [opened]);
    return Loaded && <Loaded {...props} />;
  };
}
