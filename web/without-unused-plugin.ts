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

/**
 * Functions that are asked for nothing, by file, with what each does instead: arrows of popovers and tooltips are drawn with `withArrow` alone,
 * and toasts are not dragged away.
 */
const IDLE: Readonly<Record<string, { name: string; does: string }>> = {
  'FloatingArrow/FloatingArrow.mjs': { name: 'FloatingArrow', does: '() => null' },
  'FloatingArrow/get-arrow-position-styles.mjs': { name: 'getArrowMergeDropdownStyles', does: '() => undefined' },
  'use-drag/use-drag.mjs': { name: 'useDrag', does: '() => ({ ref: null, active: false })' },
};

const LEFT_OUT = '\0left-out:';

/** The part that a file of Mantine imports in vain. */
function unusedPart(source: string, importer: string): string | undefined {
  const isBy = (file: string) => importer.endsWith(`/@mantine/core/esm/components/${file}.mjs`);
  if (SCROLL_BY_THEMSELVES.some(isBy) && source.endsWith('/ScrollArea.mjs')) return 'ScrollArea';
  const [, idle] = Object.entries(IDLE).find(([file]) => source.endsWith(`/${file}`)) ?? [];
  if (idle !== undefined) return idle.name;
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
  load: (id) => {
    if (!id.startsWith(LEFT_OUT)) return null;
    const part = id.slice(LEFT_OUT.length);
    const { does = '{ Autosize: null }' } = Object.values(IDLE).find(({ name }) => name === part) ?? {};
    return `export const ${part} = ${does};`;
  },
};

/** For the styles, once all that they import is in them. */
export const withoutUnusedColours = {
  postcssPlugin: 'without-unused-colours',
  Declaration: (declaration: { prop: string; remove: () => void }) => {
    if (SHADES.some((shade) => declaration.prop.startsWith(shade))) declaration.remove();
  },
};
