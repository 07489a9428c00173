import type { ReactNode } from 'react';

/** A column of a table: its title and, if it has a fixed one, its width. */
export type Column = string | readonly [title: string, width: string];

/** A table header with a title for each column. */
export function ColumnHeads({ columns }: { readonly columns: readonly Column[] }): ReactNode {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => {
          const [title, width] = typeof column === 'string' ? [column] : column;
          return (
            <th key={title} scope="col" data-actions={title === 'Actions' ? true : undefined} style={{ width }}>
              {title}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
