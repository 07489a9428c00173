import type { Lead } from '@dune-tide/domain/responses/lead';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { DialogActions } from '../../../staff-ui/dialogs/AdminDialog.tsx';
import { ActionNotice } from '../../../staff-ui/dialogs/ActionNotice.tsx';
import { CopyIcon, MailIcon } from '../../../staff-ui/icons.tsx';
import { leadDeletedText } from '../../../staff-ui/failure-text.ts';
import { useMayCall } from '../../../staff-ui/roles/use-may-call.ts';
import { CheckIcon } from '../../../ui/icons.tsx';
import { FoldedText } from '../../../staff-ui/FoldedText.tsx';
import { formatDateTime } from '../../../format/dates.ts';
import { isRequestFailure } from '../../../api-client/request.ts';
import { toasts } from '../../../toasts/toasts.ts';
import { webAddress } from '../../../format/web-address.ts';
import { SpamChip } from '../SpamChip.tsx';
import { Urgency } from '../Urgency.tsx';
import { LeadHistory } from './LeadHistory.tsx';
import { LeadWork } from './LeadWork.tsx';
import { SamePerson } from './SamePerson.tsx';
import { leadFields, type ShownField } from './lead-fields.ts';
import { kindLabel, spamReasons } from '../lead-labels.ts';
import { LeadName } from '../LeadName.tsx';
import { useSetLeadSpamMutation } from '../leads-api.ts';
import { useLeadKeys } from '../keys/lead-keys.ts';
import { Link as RouterLink } from 'react-router-dom';
import { personPath } from '../../../routing/staff-paths.ts';
import { mailLink, phoneLink } from '../links.ts';
import { isReplyBegun } from '../reply/reply-draft.ts';
import { sticky } from '../../../styles/layout-constants.ts';

const List = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
  borderTop: '1px solid var(--dt-palette-divider)',
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
  },
  // Browsers do not break a grid row across pages.
  '@media print': { display: 'block', '& > [data-kind="long"]': { display: 'block' } },
}));

/** The space around the content of the dialog. */
const padding = 'clamp(1.25rem, 4vw, 2rem)';

/** Sticks to the bottom of the dialog, however long the texts are. */
const atHand = {
  displayPrint: 'none',
  position: sticky,
  bottom: 0,
  // The full width of the dialog, so that it also covers the focus ring of a field behind it.
  margin: `0 calc(-1 * ${padding}) calc(-1 * ${padding})`,
  paddingInline: padding,
  paddingBottom: 'clamp(1rem, 3vw, 1.5rem)',
  borderTop: '1px solid var(--dt-palette-divider)',
  bgcolor: 'background.paperBand',
};

const Entry = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '7rem minmax(0, 1fr)',
  columnGap: '1rem',
  alignItems: 'baseline',
  paddingBlock: '0.5625rem',
  borderBottom: '1px solid var(--dt-palette-divider)',
  fontSize: '0.9375rem',
  lineHeight: 1.45,
  fontVariantNumeric: 'tabular-nums',
  '& dt': { color: 'var(--dt-palette-text-secondary)', fontSize: '0.8125rem' },
  // Right-to-left values stay beside their labels; only long ones are aligned to the other edge.
  '& dd': { overflowWrap: 'anywhere', textAlign: 'left' },
  // Long state names are shown in full here.
  '& dd > span > span': { whiteSpace: 'normal' },
  // One under the other where two columns would break words, e.g. on phones with text at 200 %.
  [theme.breakpoints.down(18)]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  // Padding instead of a gap, so that the line continues to the next column.
  [theme.breakpoints.up('sm')]: { '&[data-place="left"]': { paddingRight: '2.5rem' } },
  '&[data-place="whole"]': { gridColumn: '1 / -1' },
  '&[data-kind="long"]': {
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '0.25rem',
    paddingBlock: '0.875rem',
    '& dd': {
      maxWidth: '68ch',
      justifySelf: 'self-start',
      textAlign: 'start',
      whiteSpace: 'pre-wrap',
      // Each line has the direction of its text.
      unicodeBidi: 'plaintext',
      lineHeight: 1.6,
    },
  },
}));

/** The fields and, in medium and wide windows, the work beside them. */
const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: '1.75rem clamp(2rem, 3vw, 3rem)',
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: 'minmax(0, 1.35fr) minmax(20rem, 1fr)',
    // The narrower column has room for one field in a line.
    '& > :first-of-type dl': { alignContent: 'start' },
  },
  // Browsers do not break a grid row across pages.
  '@media print': { display: 'block', '& > *': { marginBottom: '1.5rem' } },
}));

interface LeadDetailsProps {
  readonly lead: Lead;
  readonly titleId: string;
  /** Whether the dialog was opened to write a note. */
  readonly isForNote: boolean;
  /** Whether the user returns from the reply: the focus goes back to its button. */
  readonly isReturn: boolean;
  readonly onEmail: () => void;
  readonly onClose: () => void;
}

/** All data of a lead: what the visitor sent, and the work on it. */
export function LeadDetails(props: LeadDetailsProps) {
  const { lead, titleId, isForNote, isReturn, onEmail, onClose } = props;
  const mayErase = useMayCall('erasePerson');
  const work = useRef<HTMLDivElement>(null);
  const focusNote = () => [...(work.current?.querySelectorAll('textarea') ?? [])].at(-1)?.focus();
  const focusAtFirst = useEffectEvent(focusNote);
  useEffect(() => {
    if (isForNote) focusAtFirst();
  }, [isForNote]);
  useLeadKeys('dialog', { email: onEmail, note: focusNote });
  const write = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isReturn) write.current?.focus();
  }, [isReturn]);

  return (
    <Box
      sx={{
        padding,
        // Keeps a focused element clear of the buttons at the top and at the bottom.
        '& a, & button, & textarea': { scrollMarginBlock: '4rem 6.5rem' },
      }}
    >
      <Typography variant="overline" sx={{ color: 'text.secondary' }}>
        {kindLabel(lead.kind)}
      </Typography>
      <Typography
        id={titleId}
        variant="h2"
        sx={{ paddingRight: 5, marginTop: 0.5, marginBottom: 2.5, overflowWrap: 'anywhere' }}
      >
        <LeadName lead={lead} />
      </Typography>
      {isReplyBegun(lead.id) && <ActionNotice onAct={onEmail}>Your reply is not sent yet.</ActionNotice>}
      {lead.spamSign && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, marginBottom: 2.5 }}>
          <SpamChip />
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {spamReasons[lead.spamSign]}{' '}
            {lead.spamSign === 'by_hand' ? 'Its waiting emails are cancelled.' : 'No email was sent for it.'}
          </Typography>
        </Box>
      )}
      <Columns>
        <section aria-label="Answers">
          <List>
            {placed(leadFields(lead)).map(({ place, ...field }) => (
              <Entry key={field.label} data-kind={field.display} data-place={place}>
                <dt>{field.label}</dt>
                <dd dir={field.display === 'long' || field.display === 'text' ? 'auto' : undefined}>
                  <Value {...field} />
                </dd>
              </Entry>
            ))}
          </List>
          <SamePerson lead={lead} />
          <Typography variant="body2" sx={{ marginTop: 3, displayPrint: 'none' }}>
            <Link component={RouterLink} to={personPath(lead.email)}>
              {mayErase ? 'Export or erase this person’s data' : 'Data about this person'}
            </Link>
          </Typography>
        </section>
        <Box ref={work} sx={{ display: 'grid', gap: 2.5, alignContent: 'start' }}>
          <LeadWork lead={lead} />
          <LeadHistory leadId={lead.id} onWrite={onEmail} />
        </Box>
      </Columns>
      <Box sx={{ height: 24, displayPrint: 'none' }} />
      <Box sx={atHand}>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Close
          </Button>
          <SpamButton lead={lead} />
          <Button ref={write} variant="contained" startIcon={<MailIcon />} onClick={onEmail}>
            Send Email
          </Button>
        </DialogActions>
      </Box>
    </Box>
  );
}

/** Long values that staff read in full. */
const wholeLines: ReadonlySet<ShownField['display']> = new Set(['email', 'link', 'urgency', 'long']);

/** Places two short fields side by side, and a single one over the whole line. */
function placed(fields: readonly ShownField[]) {
  const isWhole = (field: ShownField | undefined) => field === undefined || wholeLines.has(field.display);
  let isLeft = false;
  return fields.map((field, index) => {
    const isRight = isLeft && !isWhole(field);
    isLeft = !isRight && !isWhole(field) && !isWhole(fields[index + 1]);
    return { ...field, place: isRight ? 'right' : isLeft ? 'left' : 'whole' };
  });
}

/** Marks a lead as spam by hand, or as not spam, so that its emails are sent. */
function SpamButton({ lead: { id, spamSign } }: { readonly lead: Lead }) {
  const [setLeadSpam, { isLoading }] = useSetLeadSpamMutation();
  const isSpam = spamSign === null;
  const send = async () => {
    if (isLoading) return;
    try {
      await setLeadSpam({ id, isSpam }).unwrap();
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      const failed = `Could not ${isSpam ? 'mark the lead as spam' : 'release the lead'}. Please try again.`;
      if (error.status !== 401) toasts.error(error.status === 404 ? leadDeletedText : failed);
      return;
    }
    if (isSpam) toasts.success('Waiting emails will not be sent.', 'Marked as spam');
    else toasts.success('The emails will be sent now.');
  };
  const labels = isSpam ? ['Mark as spam', 'Marking...'] : ['Not spam', 'Releasing...'];
  return (
    <Button variant="outlined" onClick={() => void send()}>
      {labels[isLoading ? 1 : 0]}
    </Button>
  );
}

function Value({ display, value }: ShownField) {
  if (value === null) {
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        Not given
      </Box>
    );
  }
  switch (display) {
    case 'email':
      return (
        <Box component="span" sx={{ display: 'flex', alignItems: 'baseline', gap: 0.75 }}>
          <Link href={mailLink(value)}>{value}</Link>
          <CopyButton text={value} />
        </Box>
      );
    case 'phone':
      return <MaybeLink href={phoneLink(value)} text={value} />;
    case 'link':
      // The parsed URL, because direction characters could disguise the address.
      return <MaybeLink href={webAddress(value)} text={webAddress(value) ?? value} isOutside />;
    case 'time':
      return <time dateTime={value}>{formatDateTime(value)}</time>;
    case 'urgency':
      return <Urgency urgency={value} isWhole />;
    case 'text':
      return value;
    case 'long':
      return <FoldedText text={value} />;
  }
}

interface MaybeLinkProps {
  /** Undefined if the value is not a valid address. */
  readonly href: string | undefined;
  readonly text: string;
  readonly isOutside?: boolean;
}

function MaybeLink({ href, text, isOutside = false }: MaybeLinkProps) {
  if (href === undefined) return text;
  return (
    <Link href={href} {...(isOutside && { target: '_blank', rel: 'noopener noreferrer nofollow' })}>
      {text}
    </Link>
  );
}

/** How long the button shows that the text was copied, in milliseconds. */
const copiedFor = 2000;

function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), copiedFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    // Reset first, because screen readers announce only a change of the status.
    setIsCopied(false);
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // The browser may forbid it, and pages without TLS have no clipboard.
      toasts.error('Could not copy the address.');
    }
  };
  return (
    <>
      <IconButton
        aria-label="Copy the address"
        color="inherit"
        onClick={() => void copy()}
        sx={{ width: 28, height: 28, padding: 0, marginBlock: '-4px', flexShrink: 0, alignSelf: 'center' }}
      >
        {isCopied ? <CheckIcon sx={{ fontSize: 17 }} /> : <CopyIcon sx={{ fontSize: 17 }} />}
      </IconButton>
      <output style={visuallyHidden}>{isCopied && 'Copied'}</output>
    </>
  );
}
