import { replyForm } from '@dune-tide/domain/forms/reply';
import type { Lead } from '@dune-tide/domain/responses/lead';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, type SubmitEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useForm, useFormState } from 'react-final-form';
import validate from 'virtual:validator/reply';
import type { RequestFailure } from '../../../api-client/request.ts';
import { DialogActions, DismissButton } from '../../../staff-ui/dialogs/AdminDialog.tsx';
import { FormQuestion } from '../../../staff-ui/dialogs/FormQuestion.tsx';
import { UnsavedChanges } from '../../../staff-ui/dialogs/UnsavedChanges.tsx';
import type { Leaving } from '../../../staff-ui/dialogs/use-discard-confirmation.ts';
import { checkFields, failureHint, leadDeletedText } from '../../../staff-ui/failure-text.ts';
import { FocusText } from '../../../form/FocusText.tsx';
import { Form } from '../../../form/Form.tsx';
import { requestSubmit } from '../../../form/request-submit.ts';
import { submitWithEnter } from '../../../staff-ui/submit-with-enter.ts';
import { SubmitAlert } from '../../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../../form/SubmitButton.tsx';
import { TextField } from '../../../form/TextField.tsx';
import { toasts } from '../../../toasts/toasts.ts';
import { draftOfRecipe, placeToWrite, replyText } from './reply-text.ts';
import { unanswered } from '../lead-filter.ts';
import { useLeadStaff } from '../lead-staff.ts';
import { mailLink } from '../links.ts';
import { fillPlaceholders, placeholdersIn, placeholderValues } from './placeholders.ts';
import { type Reply, replyDraft, replyDraftName, replyDraftPath, sentReply } from './reply-draft.ts';
import { useReplyTools } from './reply-tools.ts';
import { useIsOptedOutQuery } from '../leads-api.ts';
import { useLeadChange } from '../work/use-lead-change.ts';
import { UnseenEntries } from './UnseenEntries.tsx';
import { useSendReply } from './use-send-reply.ts';
import { visitorsText, VisitorMessage } from './VisitorMessage.tsx';

interface ReplyFormProps {
  readonly lead: Lead;
  readonly titleId: string;
  readonly leaving: Leaving;
  /** Leaves and opens the next lead of the list; undefined without one. */
  readonly onNext?: (() => void) | undefined;
}

/**
 * A reply to a lead. With the mode `mail`, the worker sends it after a few seconds, in which it can be undone. With
 * `simulated`, nothing is sent, the toast appears if the session is alive, and the text of the last reply is kept
 * (docs/PRODUCT.md, "Replies").
 */
export function ReplyForm({ lead, titleId, leaving, onNext }: ReplyFormProps) {
  const { isAsking, setIsDirty, leave, askToLeave, stay } = leaving;
  const toId = useId();
  const { mode } = useReplyTools();
  const isSimulated = mode === 'simulated';
  const [untouched] = useState(() => replyText(lead));
  const [original] = useState(() => (isSimulated ? sentReply(lead.id).read() : undefined) ?? untouched);
  const { send, unseen, isUnseenShown, startedFrom } = useSendReply(lead);
  const [unfilled, setUnfilled] = useState<readonly string[]>([]);
  /** Whether the reply is sent although it has placeholders. */
  const isConfirmed = useRef(false);
  /** Whether the keys that are pressed open the next lead. */
  const wantsNext = useRef(false);
  /** Whether the attempt opens the next lead. */
  const opensNext = useRef(false);
  const content = useRef<HTMLDivElement>(null);
  const textArea = () => content.current?.querySelector('textarea');
  const focusText = () => textArea()?.focus();
  useLayoutEffect(focusText, []);

  const goOnFromSubject = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    focusText();
  };
  const discard = () => {
    replyDraft(lead.id).clear();
    leaving.discard();
  };
  const submit = (event: KeyboardEvent) => {
    wantsNext.current = event.shiftKey;
    submitWithEnter(event);
    wantsNext.current = false;
  };
  const askAboutPlaceholders = (event: SubmitEvent<HTMLElement>) => {
    opensNext.current = wantsNext.current || (isConfirmed.current && opensNext.current);
    const left = placeholdersIn(textArea()?.value ?? '');
    if (left.length === 0 || isConfirmed.current) return;
    event.preventDefault();
    event.stopPropagation();
    setUnfilled(left);
  };
  const sendAnyway = () => {
    isConfirmed.current = true;
    setUnfilled([]);
    const form = content.current?.querySelector('form');
    if (form) requestSubmit(form);
  };

  return (
    <Box ref={content} onSubmitCapture={askAboutPlaceholders} sx={{ padding: 'clamp(1.25rem, 4vw, 2rem)' }}>
      <Typography id={titleId} variant="h2" sx={{ paddingRight: 5, marginBottom: 2.5 }}>
        Send Email
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            md: visitorsText(lead) === '' ? 'minmax(0, 1fr)' : 'minmax(0, 1.6fr) minmax(0, 1fr)',
          },
        }}
      >
        <Form<Reply>
          label="Send Email"
          schema={replyForm}
          validate={validate}
          initialValues={original}
          draftName={replyDraftName(lead.id)}
          draftPath={replyDraftPath}
          version={startedFrom}
          send={send}
          onSent={() => {
            if (isSimulated) toasts.success(`Email sent to ${lead.email} successfully.`, 'Email Sent');
            if (opensNext.current && onNext) onNext();
            else leave();
          }}
          onFailed={() => void (isConfirmed.current = false)}
          // `UnseenEntries` replaces the text.
          hint={failureHint((failure) => (isUnseenShown(failure) ? '' : failureText(failure)), checkFields)}
        >
          <UnsavedChanges onDirty={setIsDirty} />
          <FocusText place={(text) => placeToWrite(text, untouched.text)} />
          {unseen.length > 0 && <UnseenEntries key={unseen.at(-1)?.activity} entries={unseen} />}
          <SubmitAlert isLast={false} />
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the fields inside */}
          <Box onKeyDown={submit} sx={{ display: 'grid', gap: 1 }}>
            {/* The same space as below the fields that have a message. */}
            <FormControl fullWidth sx={{ marginBottom: 'calc(1.45 * 0.8125rem + 4px)' }}>
              <FormLabel htmlFor={toId}>To</FormLabel>
              <OutlinedInput id={toId} value={lead.email} readOnly type="email" />
              <OptedOut email={lead.email} />
            </FormControl>
            {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the field inside */}
            <div onKeyDown={goOnFromSubject}>
              <TextField name="subject" />
            </div>
            <TextField name="text" rows={9} />
          </Box>
          <InsertRecipe lead={lead} untouched={untouched.text} textArea={textArea} />
          {isSimulated && <Simulation lead={lead} />}
          {unfilled.length > 0 && (
            <Box sx={{ marginTop: 2 }}>
              <FormQuestion
                text={`The text still has ${unfilled.join(', ')}. Send it anyway?`}
                confirmLabel="Send anyway"
                onStay={() => {
                  setUnfilled([]);
                  focusText();
                }}
                onConfirm={sendAnyway}
              />
            </Box>
          )}
          {unfilled.length === 0 && isAsking && (
            <Box sx={{ marginTop: 2 }}>
              <FormQuestion onStay={stay} onConfirm={discard} />
            </Box>
          )}
          {unfilled.length === 0 && !isAsking && (
            <DialogActions>
              <DismissButton onClick={askToLeave} />
              <SubmitButton label={unseen.length > 0 ? 'Send anyway' : 'Send'} pendingLabel="Sending..." />
            </DialogActions>
          )}
        </Form>
        <VisitorMessage lead={lead} />
      </Box>
    </Box>
  );
}

function failureText({ status }: RequestFailure): string {
  if (status === 412) return 'The email is not sent, because the lead has changed in the meantime.';
  if (status === 409) {
    return 'The lead is held as spam, or the failed email was already sent again. Look at its history.';
  }
  if (status === 404) return leadDeletedText;
  return 'Could not send the email. Please try again.';
}

/** Tells the author that the visitor wants no automatic emails. A reply by hand is sent all the same. */
function OptedOut({ email }: { readonly email: string }) {
  const { data: isOptedOut } = useIsOptedOutQuery(email, { refetchOnMountOrArgChange: true });
  if (!isOptedOut) return null;
  return (
    <Typography
      component="output"
      variant="caption"
      sx={{ display: 'block', marginTop: 0.5, color: 'text.secondary', overflowWrap: 'anywhere' }}
    >
      <bdi>{email}</bdi> has opted out of automatic emails. You can still reply by hand.
    </Typography>
  );
}

interface InsertRecipeProps {
  readonly lead: Lead;
  /** The text of an untouched draft. */
  readonly untouched: string;
  readonly textArea: () => HTMLTextAreaElement | null | undefined;
}

/** Inserts the text of a recipe at the caret; in an untouched draft, in place of the sign-off. */
function InsertRecipe({ lead, untouched, textArea }: InsertRecipeProps) {
  const { RecipePicker } = useReplyTools();
  const { me } = useLeadStaff();
  const form = useForm();
  const [isOpen, setIsOpen] = useState(false);
  const caret = useRef<number>(undefined);
  const [inserted, setInserted] = useState<object>();
  // Runs after the new text is in the field, which moves the caret.
  useEffect(() => {
    const field = textArea();
    if (!inserted || !field || caret.current === undefined) return;
    field.focus();
    field.setSelectionRange(caret.current, caret.current);
    // oxlint-disable-next-line react/exhaustive-deps -- only after an insertion
  }, [inserted]);
  if (!RecipePicker) return null;

  const insert = (recipe: string) => {
    const field = textArea();
    if (!field) return;
    const text = fillPlaceholders(recipe, placeholderValues(lead, me?.name));
    const { value, selectionStart, selectionEnd } = field;
    const [before, after] = [value.slice(0, selectionStart), value.slice(selectionEnd)];
    // If a line of text follows, the recipe becomes a separate paragraph.
    const isBeforeLine = /(?:^|\n)$/.test(before) && /^[^\n]/.test(after);
    const isUntouched = value === untouched;
    const whole = isUntouched ? draftOfRecipe(untouched, text) : before + text + (isBeforeLine ? '\n\n' : '') + after;
    form.change('text', whole);
    caret.current = isUntouched ? whole.length : selectionStart + text.length;
    setIsOpen(false);
    setInserted({});
  };
  return isOpen ? (
    <RecipePicker
      onPick={insert}
      onClose={() => {
        setIsOpen(false);
        textArea()?.focus();
      }}
    />
  ) : (
    <Button variant="outlined" size="small" onClick={() => setIsOpen(true)} sx={{ marginBottom: 1 }}>
      Insert recipe
    </Button>
  );
}

/** The actions on a simulated reply. */
function Simulation({ lead }: { readonly lead: Lead }) {
  const { values } = useFormState<Reply>({ subscription: { values: true } });
  const { change } = useLeadChange();
  const [isAnswered, setIsAnswered] = useState(false);
  const { subject = '', text = '' } = values as Partial<Reply>;
  const query = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`;
  const canBeAnswered = unanswered.some((response) => response === lead.response);
  const markAsAnswered = async () => {
    if (await change(lead, { answered: true })) setIsAnswered(true);
  };
  return (
    <>
      <Typography variant="caption" component="p" sx={{ marginTop: 0.5, color: 'text.secondary' }}>
        Simulation: no email is sent.
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, marginTop: 0.5 }}>
        <Button variant="outlined" size="small" component="a" href={`${mailLink(lead.email)}?${query}`}>
          Open in my mail program
        </Button>
        {canBeAnswered && !isAnswered && (
          <Button variant="outlined" size="small" onClick={() => void markAsAnswered()}>
            Mark as answered
          </Button>
        )}
        {isAnswered && <Typography component="output">Marked as answered.</Typography>}
      </Box>
    </>
  );
}
