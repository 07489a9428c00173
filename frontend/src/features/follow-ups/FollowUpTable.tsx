import { followUpRules, type FollowUpState, type TransportName } from '@dune-tide/domain/follow-ups';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import type { MouseEvent, ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { leaveFocus } from '../../staff-ui/lists/focus-by-id.ts';
import { ColumnHeads } from '../../staff-ui/lists/ColumnHeads.tsx';
import { DataTable, rowsAsBlocks } from '../../staff-ui/lists/data-table.ts';
import { EmailAddress } from '../../staff-ui/lists/EmailAddress.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { openedFromList } from '../../routing/location-state.ts';
import { leadPath } from '../../routing/staff-paths.ts';
import {
  changesOf,
  changeLabels,
  emailTo,
  lastResponse,
  nouns,
  stateLabels,
  subjectOf,
  timeOf,
} from './follow-up-labels.ts';
import { isCorrectable } from './correct-address.ts';
import type { ChangeKind, FollowUp } from './follow-ups-api.ts';

interface FollowUpTableProps {
  readonly state: FollowUpState;
  readonly transport: TransportName;
  readonly followUps: readonly FollowUp[];
  /** The pending changes by the id of the follow-up. */
  readonly pending: ReadonlyMap<string, ChangeKind>;
  readonly onChange: (followUp: FollowUp, change: ChangeKind, press: MouseEvent) => void;
  /** Opens the form that corrects the address of a failed email. */
  readonly onCorrect: (followUp: FollowUp) => void;
}

/** Below `lg` the columns would leave no room for the responses of mail servers. */
const Table = styled(DataTable)(({ theme }) => ({
  // The responses differ in length.
  tableLayout: 'auto',
  [theme.breakpoints.down('lg')]: {
    ...rowsAsBlocks({
      display: 'grid',
      gridTemplateAreas: '"kind to time action" "tries response lead action"',
      gridTemplateColumns: '8.5rem minmax(0, 1fr) max-content max-content',
      gap: '4px 20px',
      alignItems: 'baseline',
      paddingBlock: 12,
    }),
    '& td': { fontSize: '0.875rem' },
  },
  [theme.breakpoints.down('sm')]: {
    '& tr': {
      gridTemplateAreas: '"kind lead" "to to" "response response" "time tries" "action action"',
      gridTemplateColumns: 'minmax(0, 1fr) max-content',
    },
  },
}));

/** The first columns of each transport. */
const columns = {
  email: ['Email', 'To', 'Lead', 'Attempts'],
  webhook: ['Event', 'To', 'Lead', 'Attempts'],
} as const satisfies Record<TransportName, readonly string[]>;

/** A withheld email has no response, because it was not offered to the mail server. */
const responseTitle = (state: FollowUpState): string => (state === 'withheld' ? 'Reason' : 'Last response');

/** The emails or webhooks in a state, with the last response of the receiver or the reason why they are withheld. */
export function FollowUpTable({ state, transport, followUps, pending, onChange, onCorrect }: FollowUpTableProps) {
  const { label, time } = stateLabels[state];
  const isChangeable = changesOf(state).length > 0;
  return (
    <Table aria-label={`${label} ${nouns[transport].several}`}>
      <ColumnHeads
        columns={[...columns[transport], responseTitle(state), time, ...(isChangeable ? ['Actions'] : [])]}
      />
      <tbody>
        {followUps.map((followUp, index) => (
          <Row
            key={followUp.id}
            index={index}
            followUp={followUp}
            pending={pending.get(followUp.id)}
            onChange={(change, press) => onChange(followUp, change, press)}
            onCorrect={() => onCorrect(followUp)}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface RowProps {
  readonly index: number;
  readonly followUp: FollowUp;
  readonly pending: ChangeKind | undefined;
  readonly onChange: (change: ChangeKind, press: MouseEvent) => void;
  readonly onCorrect: () => void;
}

function Row({ index, followUp, pending, onChange, onCorrect }: RowProps) {
  const { kind, event, recipient, leadId, attempts, state } = followUp;
  const { label, transport } = followUpRules[kind];
  const time = timeOf(followUp);
  const subject = subjectOf(followUp);
  const changes = changesOf(state);
  return (
    <tr ref={leaveFocus} data-index={index}>
      <Box component="th" scope="row" sx={{ gridArea: 'kind', '&&&': { fontWeight: 600 }, whiteSpace: 'nowrap' }}>
        {event ?? label}
      </Box>
      <Cell name="To" area="to" minWidth={wholeAddress}>
        {/* All webhooks go to the same receiver. */}
        {recipient === null ? transport === 'webhook' ? 'Receiver' : '–' : <EmailAddress text={recipient} />}
        {subject !== undefined && (
          <Box component="span" sx={{ display: 'block', color: 'text.secondary', fontSize: '0.8125rem' }}>
            about <EmailAddress text={subject} />
          </Box>
        )}
      </Cell>
      <Box component="td" sx={{ gridArea: 'lead', whiteSpace: 'nowrap' }}>
        {leadId === null ? (
          '–'
        ) : (
          <Link
            // Back focuses the link by its id.
            id={`follow-up-${followUp.id}`}
            component={RouterLink}
            to={leadPath(leadId)}
            state={openedFromList}
            aria-label={`View lead of the ${emailTo(followUp)}`}
            sx={{ display: 'inline-block', lineHeight: '24px' }}
          >
            View lead
          </Link>
        )}
      </Box>
      <Cell name="Attempts" area="tries">
        {attempts}
      </Cell>
      <Cell name={responseTitle(state)} area="response">
        {lastResponse(followUp, transport) ?? '–'}
        {leadId !== null && isCorrectable(followUp) && (
          <Link
            component="button"
            type="button"
            aria-label={`Correct the address of the ${emailTo(followUp)}`}
            onClick={pending === undefined ? onCorrect : undefined}
            sx={{ display: 'block', lineHeight: '24px' }}
          >
            Correct the address
          </Link>
        )}
      </Cell>
      <Cell name={stateLabels[state].time} area="time">
        <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
          {time === null ? '–' : formatDateTime(time)}
        </Box>
      </Cell>
      {changes.length > 0 && (
        <Box component="td" sx={{ gridArea: 'action', alignSelf: 'center' }}>
          <Box sx={{ display: 'flex', gap: 1 }}>
            {changes.map(({ change }) => (
              <Button
                key={change}
                size="small"
                variant="outlined"
                aria-label={`${changeLabels[change].label} the ${emailTo(followUp)}`}
                aria-busy={pending === change}
                onClick={pending === undefined ? (press) => onChange(change, press) : undefined}
                sx={{ whiteSpace: 'nowrap' }}
              >
                {pending === change ? changeLabels[change].pending : changeLabels[change].label}
              </Button>
            ))}
          </Box>
        </Box>
      )}
    </tr>
  );
}

/** Keeps addresses on one line beside a long response. */
const wholeAddress = { xs: 'auto', lg: '14rem', xl: '16rem' };

interface CellProps {
  readonly name: string;
  readonly area: string;
  readonly minWidth?: typeof wholeAddress;
  readonly children: ReactNode;
}

/** A table cell that shows the name of its column where the table has no header. */
function Cell({ name, area, minWidth, children }: CellProps) {
  return (
    <Box component="td" sx={{ gridArea: area, minWidth, overflowWrap: 'anywhere' }}>
      <Box component="span" sx={{ display: { lg: 'none' }, color: 'text.secondary' }}>
        {name}:{' '}
      </Box>
      {children}
    </Box>
  );
}
