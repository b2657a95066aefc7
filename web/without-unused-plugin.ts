/** Leaves out of the build what components of Mantine carry along and pages do not show, or import by its own name. */
import type { Plugin } from 'vite';

/** By component: the parts that its file imports in vain. `Menu` and `Sub` are what a page would write as `Menu.Sub`. */
export const UNUSED = {
  Menu: ['Sub', 'Search', 'ContextMenu', 'CheckboxGroup', 'CheckboxItem', 'RadioGroup', 'RadioItem'],
  Popover: ['ContextMenu'],
  Tooltip: ['Floating'],
};

/** These scroll by themselves, and only ask whether a scroll area is meant. */
const SCROLL_BY_THEMSELVES = ['Modal/ModalRoot', 'Drawer/DrawerRoot'];

const LEFT_OUT = '\0left-out:';

/** The part that a file of Mantine imports in vain. */
function unusedPart(source: string, importer: string): string | undefined {
  const isBy = (file: string) => importer.endsWith(`/@mantine/core/esm/components/${file}.mjs`);
  if (SCROLL_BY_THEMSELVES.some(isBy) && source.endsWith('/ScrollArea.mjs')) return 'ScrollArea';
  const [component, parts = []] = Object.entries(UNUSED).find(([name]) => isBy(`${name}/${name}`)) ?? [];
  return parts.map((part) => `${component}${part}`).find((name) => source.endsWith(`/${name}.mjs`));
}

/** Colours of Mantine that no page names, with a dozen variables each in both themes. */
export const UNUSED_COLOURS = ['pink', 'grape', 'violet', 'indigo', 'cyan', 'lime', 'blue', 'green', 'yellow'];
const SHADES = UNUSED_COLOURS.map((colour) => `--mantine-color-${colour}-`);

export const withoutUnused: Plugin = {
  name: 'without-unused',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) => {
    const part = unusedPart(source, importer ?? '');
    return part === undefined ? null : LEFT_OUT + part;
  },
  load: (id) => (id.startsWith(LEFT_OUT) ? `export const ${id.slice(LEFT_OUT.length)} = { Autosize: null };` : null),
};

/** For the styles, once all that they import is in them. */
export const withoutUnusedColours = {
  postcssPlugin: 'without-unused-colours',
  Declaration: (declaration: { prop: string; remove: () => void }) => {
    if (SHADES.some((shade) => declaration.prop.startsWith(shade))) declaration.remove();
  },
};
