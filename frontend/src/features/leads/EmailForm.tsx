import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { DialogActions } from '../../components/admin/AdminDialog.tsx';
import { useModalHold } from '../../components/modal-hold.ts';
import { useToasts } from '../../lib/toasts/use-toasts.ts';
import { emailDraft } from './email-draft.ts';
import type { Lead } from './lead.ts';

interface EmailFormProps {
  readonly lead: Lead;
  readonly titleId: string;
  /** After sending and on Cancel. */
  readonly onDone: () => void;
}

/** A reply to a lead. Sending is simulated: it shows its toast and makes no call (specification §4). */
export function EmailForm({ lead, titleId, onDone }: EmailFormProps) {
  const toasts = useToasts();
  const [original] = useState(() => emailDraft(lead));
  const [draft, setDraft] = useState(original);
  const text = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => text.current?.focus(), []);

  useModalHold({ isTyped: draft.subject !== original.subject || draft.body !== original.body });

  const send = (event: FormEvent) => {
    event.preventDefault();
    toasts.success(`Email sent to ${lead.email} successfully.`, 'Email Sent');
    onDone();
  };

  return (
    <Box component="form" aria-labelledby={titleId} onSubmit={send} sx={{ padding: 'clamp(1.25rem, 4vw, 2rem)' }}>
      <Typography id={titleId} variant="h2" sx={{ paddingRight: 5, marginBottom: 2.5 }}>
        Send Email
      </Typography>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Field label="To">{(id) => <OutlinedInput id={id} value={lead.email} readOnly type="email" />}</Field>
        <Field label="Subject">
          {(id) => (
            <OutlinedInput
              id={id}
              value={draft.subject}
              autoComplete="off"
              onChange={({ target }) => setDraft({ ...draft, subject: target.value })}
            />
          )}
        </Field>
        <Field label="Message">
          {(id) => (
            <OutlinedInput
              id={id}
              inputRef={text}
              value={draft.body}
              inputComponent="textarea"
              inputProps={{ rows: 9 }}
              onChange={({ target }) => setDraft({ ...draft, body: target.value })}
              sx={{ '& textarea': { display: 'block', resize: 'vertical' } }}
            />
          )}
        </Field>
      </Box>
      <Typography variant="caption" component="p" sx={{ marginTop: 1.5, color: 'text.secondary' }}>
        A simulation: nothing is mailed.
      </Typography>
      <DialogActions>
        <Button variant="outlined" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" variant="contained">
          Send
        </Button>
      </DialogActions>
    </Box>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <FormControl fullWidth>
      <FormLabel htmlFor={id}>{label}</FormLabel>
      {children(id)}
    </FormControl>
  );
}
