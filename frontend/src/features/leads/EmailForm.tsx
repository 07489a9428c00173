import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { DialogActions, DismissButton } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { LeaveQuestion } from '../../staff-ui/dialogs/LeaveQuestion.tsx';
import { UnsavedChanges } from '../../staff-ui/dialogs/UnsavedChanges.tsx';
import type { Leaving } from '../../staff-ui/dialogs/use-discard-confirmation.ts';
import { FormAlert } from '../../form/FormAlert.tsx';
import { Form } from '../../form/Form.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { TextField } from '../../form/TextField.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { emailDraft, placeBelowGreeting } from './email-draft.ts';
import type { Lead } from './lead.ts';
import { replyDraft, replyDraftName, replyDraftPath, sentReply } from './reply-draft.ts';
import { useLazyLiveSessionQuery } from './leads-api.ts';
import { type Reply, replyForm, validateReply } from './reply-form.ts';

interface EmailFormProps {
  readonly lead: Lead;
  readonly titleId: string;
  readonly leaving: Leaving;
}

/**
 * A reply to a lead. Sending is simulated: it sends nothing and shows its toast if the session is alive
 * (docs/PRODUCT.md, "Replies"). The text of the last reply is kept, so that it can be sent again or corrected.
 */
export function EmailForm({ lead, titleId, leaving }: EmailFormProps) {
  const { isAsking, setIsDirty, leave, askToLeave, stay } = leaving;
  const toId = useId();
  const [original] = useState(() => sentReply(lead.id).read() ?? emailDraft(lead));
  const [checkSession] = useLazyLiveSessionQuery();
  const [hasFailed, setHasFailed] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const focusText = () => content.current?.querySelector('textarea')?.focus();
  useLayoutEffect(focusText, []);
  // Runs after the draft has been put into the field, because that moves the caret.
  useEffect(() => {
    const text = content.current?.querySelector('textarea');
    const place = placeBelowGreeting(text?.value ?? '');
    text?.setSelectionRange(place, place);
  }, []);

  const goOnFromSubject = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    focusText();
  };
  const discard = () => {
    replyDraft(lead.id).clear();
    leaving.discard();
  };

  return (
    <Box ref={content} sx={{ padding: 'clamp(1.25rem, 4vw, 2rem)' }}>
      <Typography id={titleId} variant="h2" sx={{ paddingRight: 5, marginBottom: 2.5 }}>
        Send Email
      </Typography>
      <Form<Reply>
        label="Send Email"
        schema={replyForm}
        validate={validateReply}
        initialValues={original}
        draftName={replyDraftName(lead.id)}
        draftPath={replyDraftPath}
        send={async (reply) => {
          setHasFailed(false);
          await checkSession().unwrap();
          sentReply(lead.id).write(reply);
        }}
        onSent={() => {
          toasts.success(`Email sent to ${lead.email} successfully.`, 'Email Sent');
          leave();
        }}
        onFailed={() => setHasFailed(true)}
      >
        <UnsavedChanges onDirty={setIsDirty} />
        <FormAlert text={hasFailed ? 'Could not send the email. Please try again.' : undefined} />
        <Box sx={{ display: 'grid', gap: 1 }}>
          {/* The same space as below the fields that have a message. */}
          <FormControl fullWidth sx={{ marginBottom: 'calc(1.45 * 0.8125rem + 4px)' }}>
            <FormLabel htmlFor={toId}>To</FormLabel>
            <OutlinedInput id={toId} value={lead.email} readOnly type="email" />
          </FormControl>
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the field inside */}
          <div onKeyDown={goOnFromSubject}>
            <TextField name="subject" />
          </div>
          <TextField name="body" rows={9} />
        </Box>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          Simulation: no email is sent.
        </Typography>
        {isAsking ? (
          <Box sx={{ marginTop: 2 }}>
            <LeaveQuestion onStay={stay} onDiscard={discard} />
          </Box>
        ) : (
          <DialogActions>
            <DismissButton onClick={askToLeave} />
            <SubmitButton label="Send" pendingLabel="Sending..." />
          </DialogActions>
        )}
      </Form>
    </Box>
  );
}
