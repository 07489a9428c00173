import Box from '@mui/material/Box';
import { leadDefinitions } from '@dune-tide/domain/leads';
import { quoteOf } from '@dune-tide/domain/leads/definition';
import type { Lead } from '@dune-tide/domain/responses/lead';
import Typography from '@mui/material/Typography';
import { formatDateTime } from '../../../format/dates.ts';
import { FoldedText } from '../../../staff-ui/FoldedText.tsx';
import { LeadName } from '../LeadName.tsx';

/** Returns what the reply quotes of a lead; an empty text for a portfolio request. */
export const visitorsText = (lead: Lead): string => quoteOf(leadDefinitions[lead.kind], lead);

/** The visitor's message, beside the reply in wide windows and below it in narrow ones. */
export function VisitorMessage({ lead }: { readonly lead: Lead }) {
  const text = visitorsText(lead);
  if (text === '') return null;
  return (
    <Box
      component="section"
      // Focusable, so that it can be scrolled with the keyboard.
      tabIndex={0}
      aria-label="What they wrote"
      sx={{
        alignSelf: 'start',
        maxHeight: '32rem',
        overflow: 'auto',
        padding: 2,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Typography variant="h3">
        <LeadName lead={lead} />
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', marginBottom: 1 }}>
        <time dateTime={lead.createdAt}>{formatDateTime(lead.createdAt)}</time>
      </Typography>
      <Typography
        variant="body2"
        sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', unicodeBidi: 'plaintext', textAlign: 'start' }}
      >
        <FoldedText text={text} />
      </Typography>
    </Box>
  );
}
