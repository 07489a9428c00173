import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import visuallyHidden from '@mui/utils/visuallyHidden';
import type { Ref } from 'react';
import { Link, type To } from 'react-router-dom';
import { openedFromList } from '../../../routing/location-state.ts';
import { EyeIcon, MailIcon } from '../../../staff-ui/icons.tsx';
import { openRow } from '../../../staff-ui/lists/open-row.ts';
import { Highlight, useSearchedWords } from '../Highlight.tsx';
import { leadName } from '../lead-labels.ts';
import { useIsMarked } from '../lead-marks.ts';
import type { ListedLead } from '../lead.ts';
import { foundElsewhere } from './found-elsewhere.ts';
import { useLeadSelection } from './selection.ts';
import { forcedColors } from '../../../styles/forced-colors.ts';
import { BodyRow, roles } from './table-styles.ts';
import type { RowLayout } from './use-row-layout.ts';

/** Returns the id of the link to a lead, for the focus. */
export const linkIdOf = (id: string): string => `lead-${id}`;

const markText = 'New for you: it was assigned to you, or a note mentions you';

/** The mark of a lead that the user has not opened since. */
const Mark = styled('span')({
  float: 'left',
  width: 10,
  height: 10,
  margin: '0.3125rem 0.5rem 0 0',
  borderRadius: '50%',
  background: 'var(--dt-palette-secondary-main)',
  [forcedColors]: { background: 'Highlight', forcedColorAdjust: 'none' },
});

interface LeadRowProps {
  readonly ref: Ref<HTMLTableRowElement>;
  readonly lead: ListedLead;
  /** Its place in the list. */
  readonly index: number;
  /** The space for the rows above that are not rendered, in pixels. */
  readonly marginTop: number;
  readonly layout: RowLayout;
  /** The address of its details. */
  readonly address: To;
  readonly onEmail: (lead: ListedLead) => void;
}

/** A lead in the table, and below its cells where a search has found it. */
export function LeadRow({ ref, lead, index, marginTop, layout, address, onEmail }: LeadRowProps) {
  const { columns, visibleColumns, rowStyle, cellStyle } = layout;
  const selection = useLeadSelection();
  const isSelected = selection.has(lead.id);
  const isMarked = useIsMarked(lead.id);
  const name = leadName(lead);
  const texts = visibleColumns.flatMap((column) => column.texts?.(lead) ?? []);
  const found = foundElsewhere(
    lead,
    useSearchedWords(),
    texts.filter((text) => typeof text === 'string'),
  );
  return (
    <BodyRow
      {...roles.row}
      aria-rowindex={index + 2}
      ref={ref}
      data-index={index}
      data-selected={isSelected}
      onClick={openRow}
      style={{ ...rowStyle, marginTop }}
    >
      <td {...roles.cell} data-column="select" style={cellStyle('select')}>
        <Checkbox
          size="small"
          checked={isSelected}
          onClick={({ shiftKey }) => selection.toggle(lead.id, shiftKey)}
          slotProps={{ input: { 'aria-label': `Select ${name}` } }}
          sx={{ padding: '2px' }}
        />
      </td>
      {columns.map(({ id, cell }) => (
        <td key={id} {...(id === 'name' ? roles.rowheader : roles.cell)} data-column={id} style={cellStyle(id)}>
          {id === 'name' && isMarked && (
            <Mark title={markText}>
              <span style={visuallyHidden}>{markText}</span>
            </Mark>
          )}
          {cell(lead)}
        </td>
      ))}
      <td {...roles.cell} data-column="actions" style={cellStyle('actions')}>
        <IconButton
          id={linkIdOf(lead.id)}
          component={Link}
          to={address}
          state={openedFromList}
          aria-label={`View ${name}`}
          color="inherit"
          size="small"
        >
          <EyeIcon fontSize="small" />
        </IconButton>
        <IconButton aria-label={`Email ${name}`} color="inherit" size="small" onClick={() => onEmail(lead)}>
          <MailIcon fontSize="small" />
        </IconButton>
      </td>
      {found && (
        <td {...roles.cell} data-column="found" aria-colspan={columns.length + 1}>
          <span>{found.label}:</span>
          <bdi className="beginning">
            <Highlight text={found.text} />
          </bdi>
        </td>
      )}
    </BodyRow>
  );
}
