import type { ComponentType } from 'react';

function NotLoaded() {
  return <p className="hint">This part of the page could not be loaded. Reload the page once you are connected.</p>;
}

/** What `lazy` takes, which says so where the code cannot be had. */
export const orNotLoaded = <Props,>(code: Promise<ComponentType<Props>>) =>
  code.then(
    (component) => ({ default: component }),
    () => ({ default: NotLoaded as ComponentType<Props> }),
  );
