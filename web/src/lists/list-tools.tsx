import { Button, Menu, MenuCheckboxGroup, MenuCheckboxItem, MenuRadioGroup, MenuRadioItem } from '@mantine/core';
import { memo, useState } from 'react';
import type { Column } from '../ui/data-table.tsx';
import { Icon } from '../ui/icons.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import { toastUndoable } from '../ui/toasts.tsx';
import { AppliedField } from './applied-field.tsx';
import { type FilterField, FilterFields, FoldedFilters } from './filter-fields.tsx';
import { activeFilters, FIND_LENGTH_MAX, type Listed, type RawSearch } from './list-search.ts';
import {
  changeListSettings,
  chooseDensity,
  DENSITIES,
  type ListName,
  type ListSettings,
  useDensity,
  useListSettings,
  VIEWS_MAX,
} from './list-settings.ts';
import styles from './list-tools.module.css';

const SaveViewDialog = lazyDialog(() => import('./save-view-dialog.tsx').then((code) => code.SaveViewDialog));

type ListToolsProps<Search> = {
  list: ListName;
  columns: readonly Pick<Column<never>, 'key' | 'header'>[];
  search: Search;
  searchFrom: (raw: RawSearch) => Search;
  onSearch: (search: Search) => void;
  findHint?: string;
  fields: readonly FilterField<string>[];
  /** The words of the button, where rows fold. */
  folds: { each: string; folded: string } | undefined;
};

function PlainListTools<Search extends Listed & { q?: unknown }>(props: ListToolsProps<Search>) {
  const { search, searchFrom, onSearch, findHint, fields, folds } = props;
  const { each, ...folded } = search;
  const toggled = searchFrom({ ...folded, page: 1, ...(!each && { each: true }) });
  return (
    <section className={styles.tools} aria-label={fields.length > 0 ? 'Filters' : undefined}>
      {findHint !== undefined && (
        <AppliedField
          className={styles.find}
          type="search"
          label="Find"
          placeholder={findHint}
          maxLength={FIND_LENGTH_MAX}
          applied={String(search.q ?? '')}
          onApply={(q) => onSearch(searchFrom({ ...search, page: 1, q }))}
        />
      )}
      {fields.length > 0 && (
        <FoldedFilters active={activeFilters(search)}>
          <FilterFields fields={fields} search={search} searchFrom={searchFrom} onSearch={onSearch} />
        </FoldedFilters>
      )}
      {folds !== undefined && (
        <Button size="xs" variant="default" className={styles.fold} onClick={() => onSearch(toggled)}>
          {each ? folds.folded : folds.each}
        </Button>
      )}
      <ViewMenu {...props} />
    </section>
  );
}

/** The line above a list: what it is narrowed to, and how it looks. Remembered: an answer that arrives changes nothing in it. */
export const ListTools = memo(PlainListTools) as typeof PlainListTools;

type ViewMenuProps<Search> = Pick<ListToolsProps<Search>, 'list' | 'columns' | 'search' | 'onSearch'>;

/** Columns that a row cannot do without. */
const ALWAYS_SHOWN = ['id', 'combinations', 'actions'];

function ViewMenu<Search extends Listed>({ list, columns, search, onSearch }: ViewMenuProps<Search>) {
  const settings = useListSettings(list);
  const density = useDensity();
  const [naming, setNaming] = useState(false);
  const choosable = columns.filter(({ key }) => !ALWAYS_SHOWN.includes(key));
  const shown = choosable.map(({ key }) => key).filter((key) => !settings.hidden.includes(key));
  const { page, ...unpaged } = search;
  const hide = (kept: string[]) =>
    changeListSettings(list, { hidden: choosable.map(({ key }) => key).filter((key) => !kept.includes(key)) });
  const open = (view: ListSettings['views'][number]) => onSearch({ ...view.search, page: 1 } as Search);
  return (
    <>
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <Button size="xs" variant="default" className={styles.view} leftSection={<Icon name="settings" size={15} />}>
            View
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={styles.menu}>
          <SavedViews
            list={list}
            views={settings.views}
            search={unpaged}
            onOpen={open}
            onSave={() => setNaming(true)}
          />
          <Menu.Divider />
          <Menu.Label>Density</Menu.Label>
          <MenuRadioGroup value={density} onChange={(chosen) => chooseDensity(chosen as typeof density)}>
            {DENSITIES.map((each) => (
              <MenuRadioItem key={each} value={each}>
                {each === 'compact' ? 'Compact' : 'Comfortable'}
              </MenuRadioItem>
            ))}
          </MenuRadioGroup>
          <Menu.Divider />
          <Menu.Label>Columns</Menu.Label>
          <MenuCheckboxGroup value={shown} onChange={hide}>
            {choosable.map(({ key, header }) => (
              <MenuCheckboxItem key={key} value={key}>
                {header}
              </MenuCheckboxItem>
            ))}
          </MenuCheckboxGroup>
        </Menu.Dropdown>
      </Menu>
      <SaveViewDialog opened={naming} list={list} search={unpaged} onClose={() => setNaming(false)} />
    </>
  );
}

type SavedViewsProps = {
  list: ListName;
  views: ListSettings['views'];
  search: Record<string, unknown>;
  onOpen: (view: ListSettings['views'][number]) => void;
  onSave: () => void;
};

function SavedViews({ list, views, search, onOpen, onSave }: SavedViewsProps) {
  const isShown = (view: ListSettings['views'][number]) => isSameSearch(view.search, search);
  const current = views.find(isShown);
  return (
    <>
      <Menu.Label>Saved views</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.name}
          closeMenuOnClick
          aria-current={view === current}
          onClick={() => onOpen(view)}
          rightSection={view === current && <Icon name="check" size={14} />}
        >
          {view.name}
        </Menu.Item>
      ))}
      {current === undefined ? (
        <Menu.Item
          closeMenuOnClick
          leftSection={<Icon name="plus" size={14} />}
          disabled={views.length >= VIEWS_MAX}
          onClick={onSave}
        >
          Save This View…
        </Menu.Item>
      ) : (
        <Menu.Item
          closeMenuOnClick
          leftSection={<Icon name="trash" size={14} />}
          c="var(--error-ink)"
          onClick={() => {
            changeListSettings(list, { views: views.filter((view) => view !== current) });
            toastUndoable(`View “${current.name}” deleted`, () => changeListSettings(list, { views }));
          }}
        >
          Delete View “{current.name}”
        </Menu.Item>
      )}
    </>
  );
}

function isSameSearch(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const isSet = ([, value]: [string, unknown]) => value !== undefined;
  const [left, right] = [one, other].map((search) => Object.entries(search).filter(isSet).sort());
  return JSON.stringify(left) === JSON.stringify(right);
}
