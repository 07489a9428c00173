import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { DialogActions, DismissButton } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { LeaveQuestion } from '../../staff-ui/dialogs/LeaveQuestion.tsx';
import { UnsavedChanges } from '../../staff-ui/dialogs/UnsavedChanges.tsx';
import type { Leaving } from '../../staff-ui/dialogs/use-discard-confirmation.ts';
import { Form } from '../../form/Form.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { TextField } from '../../form/TextField.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { emailDraft } from './email-draft.ts';
import type { Lead } from './lead.ts';
import { replyDraft, replyDraftName, replyDraftPath } from './reply-draft.ts';
import { type Reply, replyForm, validateReply } from './reply-form.ts';

interface EmailFormProps {
  readonly lead: Lead;
  readonly titleId: string;
  readonly leaving: Leaving;
}

/** A reply to a lead. Sending is simulated: it shows its toast and makes no call (docs/PRODUCT.md, "Replies"). */
export function EmailForm({ lead, titleId, leaving }: EmailFormProps) {
  const { isAsking, setIsDirty, leave, askToLeave, stay } = leaving;
  const toId = useId();
  const [original] = useState(() => emailDraft(lead));
  const content = useRef<HTMLDivElement>(null);
  const focusText = () => content.current?.querySelector('textarea')?.focus();
  useLayoutEffect(focusText, []);

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
        send={() => Promise.resolve()}
        onSent={() => {
          toasts.success(`Email sent to ${lead.email} successfully.`, 'Email Sent');
          leave();
        }}
        onFailed={() => undefined}
      >
        <UnsavedChanges onDirty={setIsDirty} />
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
