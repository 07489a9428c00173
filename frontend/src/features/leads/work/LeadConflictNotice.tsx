import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ConflictBox } from '../../../staff-ui/dialogs/ConflictBox.tsx';
import { DialogActions } from '../../../staff-ui/dialogs/AdminDialog.tsx';
import { isolated } from '../../../format/bidi-isolate.ts';
import { statusLabel } from '../lead-labels.ts';
import { type LeadStaff, useLeadStaff } from '../lead-staff.ts';
import type { LeadConflict } from './use-lead-change.ts';

const Changes = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  gap: '4px 16px',
  marginTop: 10,
  fontSize: '0.875rem',
  '& dt': { fontWeight: 600 },
  '& dd': { overflowWrap: 'anywhere' },
});

interface LeadConflictNoticeProps {
  readonly conflict: LeadConflict;
  readonly onKeep: () => void;
  readonly onOverwrite: () => void;
}

/** Shows what another user has changed, and lets the user decide. */
export function LeadConflictNotice({ conflict, onKeep, onOverwrite }: LeadConflictNoticeProps) {
  const { differences, authors, change } = conflict;
  const staff = useLeadStaff();
  const who = namesOf(authors, staff.me?.id);
  return (
    <ConflictBox title="This lead has changed since you opened it">
      <Typography variant="body2">Your change is not saved. {who} changed:</Typography>
      <Changes aria-label="Their changes">
        {differences.map(({ label, before, after }) => (
          <Box key={label} sx={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>
              <bdi>{before}</bdi> → <bdi>{after}</bdi>
            </dd>
          </Box>
        ))}
      </Changes>
      <DialogActions>
        <Button variant="outlined" size="small" onClick={onKeep}>
          Keep their version
        </Button>
        <Button variant="contained" size="small" onClick={onOverwrite}>
          {overwriteLabel(change, staff)}
        </Button>
      </DialogActions>
    </ConflictBox>
  );
}

/** Returns the names in a sentence, e.g. "Layla and an operator". */
function namesOf(authors: LeadConflict['authors'], ownId: string | undefined): string {
  const names = authors.map((author) => {
    if (author === null) return 'an operator';
    return author.id === ownId ? 'you, in another window,' : isolated(author.name);
  });
  const [first = 'another team member', ...others] = names;
  return new Intl.ListFormat('en').format([first.charAt(0).toUpperCase() + first.slice(1), ...others]);
}

function overwriteLabel({ status, ownerId, answered }: LeadConflict['change'], { me, people }: LeadStaff): string {
  if (status !== undefined) return `Change status to ${statusLabel(status)}`;
  if (ownerId === null) return 'Remove the owner';
  if (ownerId !== undefined && ownerId === me?.id) return 'Assign to me';
  if (ownerId !== undefined) {
    return `Assign to ${isolated(people?.find(({ id }) => id === ownerId)?.name ?? 'the new owner')}`;
  }
  return answered === true ? 'Mark as answered' : 'Mark as not answered';
}
