import { portfolioRequestForm, type PortfolioRequest } from '@dune-tide/domain/forms/portfolio-request';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import validate from 'virtual:validator/portfolio-request';
import { PublicForm } from '../../form/PublicForm.tsx';
import { SubmitRow } from '../../form/SubmitRow.tsx';
import { TextField } from '../../form/TextField.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { shortWindow } from '../../styles/layout-constants.ts';

const initialValues = { source: 'portfolio_view' } as const satisfies Partial<PortfolioRequest>;

/** Delay before the modal closes after a success, in milliseconds. */
const closeDelay = 3000;

const titleId = 'portfolio-modal-title';

interface PortfolioModalProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The dialog in which a visitor requests the portfolio (docs/PRODUCT.md, "Portfolio form"). */
export default function PortfolioModal({ open, onClose }: PortfolioModalProps) {
  return (
    <Modal open={open} onClose={onClose} labelledBy={titleId}>
      <Request onClose={onClose} />
    </Modal>
  );
}

function Request({ onClose }: { readonly onClose: () => void }) {
  const [isSent, setIsSent] = useState(false);

  if (isSent) return <Sent onClose={onClose} />;
  return (
    <Box sx={{ padding: 'clamp(1.75rem, 5vw, 3rem)', [shortWindow]: { padding: '1rem 1.25rem' } }}>
      <Typography id={titleId} variant="h3" component="h2" sx={{ paddingRight: 4 }}>
        {/* Prevents a line break after "the" on phones. */}
        {'Get the\u00a0whole portfolio'}
      </Typography>
      <Typography
        sx={{ marginTop: 1.5, marginBottom: 3.5, color: 'text.secondary', [shortWindow]: { marginBlock: 1 } }}
      >
        Every case study in one PDF, with what we made and what it changed. Tell us where to send it.
      </Typography>
      <PublicForm<PortfolioRequest>
        label="Portfolio request"
        isOneField
        schema={portfolioRequestForm}
        validate={validate}
        initialValues={initialValues}
        keepsDraft={false}
        url="/api/portfolio-lead"
        thanks={{ text: 'Portfolio sent to your email. Check your inbox!' }}
        onSent={() => setIsSent(true)}
        failureText="Failed to send portfolio. Please try again."
      >
        <TextField name="email" type="email" inputMode="email" autoComplete="email" hasFirstFocus />
        <Box sx={{ marginTop: 1.5 }}>
          <SubmitRow label="Send Me the Portfolio" pendingLabel="Sending..." fullWidth />
        </Box>
      </PublicForm>
    </Box>
  );
}

function Sent({ onClose }: { readonly onClose: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  const close = useEffectEvent(onClose);

  useEffect(() => {
    title.current?.focus();
    const timer = setTimeout(() => close(), closeDelay);
    return () => clearTimeout(timer);
  }, []);

  return (
    <Box sx={{ padding: 'clamp(2.5rem, 8vw, 4.5rem) clamp(1.75rem, 5vw, 3rem)', textAlign: 'center' }}>
      <Box
        sx={{
          width: 72,
          height: 72,
          margin: '0 auto 24px',
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          bgcolor: 'secondary.main',
          color: 'secondary.contrastText',
        }}
      >
        <CheckIcon sx={{ fontSize: 40 }} />
      </Box>
      <Typography id={titleId} ref={title} tabIndex={-1} variant="h3" component="h2">
        Portfolio Sent!
      </Typography>
    </Box>
  );
}
