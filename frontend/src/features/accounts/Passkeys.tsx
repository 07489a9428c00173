import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { formatDate, formatDateTime } from '../../format/dates.ts';
import { AdminDialog } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { passkeyObstacle } from '../../staff-ui/passkeys/browser-passkeys.ts';
import { toasts } from '../../toasts/toasts.ts';
import type { OwnAccount } from './own-account-api.ts';
import { PasskeySetup } from './PasskeySetup.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useRemovePasskeyMutation } from './second-factor-api.ts';

type Passkey = OwnAccount['passkeys'][number];

const List = styled('ul')({ marginBottom: 16 });

const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: 16,
  paddingBlock: 12,
  borderBottom: '1px solid var(--dt-palette-divider)',
});

interface PasskeysProps {
  readonly account: OwnAccount;
}

/** The passkeys of the signed-in account, which it can add and remove. */
export function Passkeys({ account: { passkeys, hasTotp } }: PasskeysProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  // The text must not change while the dialog closes.
  const [removed, setRemoved] = useState<{ readonly passkey: Passkey; readonly isLast: boolean }>();
  const [isRemoving, setIsRemoving] = useState(false);
  const [remove] = useRemovePasskeyMutation();
  const obstacle = passkeyObstacle();

  return (
    <>
      <Typography sx={{ fontWeight: 600, marginBottom: 0.75 }}>Passkeys</Typography>
      {passkeys.length > 0 && (
        <List aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <Item key={passkey.id}>
              <div>
                <Typography sx={{ overflowWrap: 'anywhere' }}>
                  <bdi>{passkey.name}</bdi>
                </Typography>
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  Added {formatDate(passkey.createdAt)} ·{' '}
                  {passkey.lastUsedAt === null ? 'not used yet' : `last used ${formatDateTime(passkey.lastUsedAt)}`}
                </Typography>
              </div>
              <Button
                size="small"
                variant="outlined"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => {
                  setRemoved({ passkey, isLast: passkeys.length === 1 && !hasTotp });
                  setIsRemoving(true);
                }}
              >
                Remove
              </Button>
            </Item>
          ))}
        </List>
      )}
      {obstacle === undefined ? (
        <>
          {passkeys.length === 0 && (
            <Typography variant="body2" sx={{ marginBottom: 2, color: 'text.secondary' }}>
              Sign in with your fingerprint, face, screen lock or a security key.
            </Typography>
          )}
          <Button
            variant={passkeys.length === 0 ? 'contained' : 'outlined'}
            onClick={() => {
              setCodes([]);
              setIsAdding(true);
            }}
          >
            Add a passkey
          </Button>
        </>
      ) : (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {obstacle}
        </Typography>
      )}
      <AdminDialog
        open={isAdding}
        onClose={() => setIsAdding(false)}
        title={codes.length > 0 ? 'Your recovery codes' : 'Add a passkey'}
      >
        {codes.length > 0 ? (
          <RecoveryCodes codes={codes} doneLabel="I have saved them" onDone={() => setIsAdding(false)} />
        ) : (
          <PasskeySetup
            onAdded={(all, name) => {
              setCodes(all);
              // The dialog may have been closed while the passkey was stored.
              setIsAdding(all.length > 0);
              toasts.success(`Sign-ins now accept ${name}.`, 'Passkey Added');
            }}
          />
        )}
      </AdminDialog>
      <ConfirmDialog
        open={isRemoving}
        title={`Remove ${removed?.passkey.name ?? ''}?`}
        text={
          removed?.isLast
            ? 'Your password alone will be enough to sign in. Your recovery codes stop working.'
            : 'Sign-ins no longer accept this passkey. Your other second factors stay.'
        }
        confirmLabel="Remove"
        pendingLabel="Removing..."
        failureText="Could not remove the passkey. Please try again."
        onConfirm={async () => {
          if (!removed) return;
          try {
            await remove(removed.passkey.id).unwrap();
          } catch (error) {
            // Another tab may have removed it in the meantime.
            if (!isRequestFailure(error) || error.status !== 404) throw error;
          }
          toasts.success(`Sign-ins no longer accept ${removed.passkey.name}.`, 'Passkey Removed');
        }}
        onClose={() => setIsRemoving(false)}
      />
    </>
  );
}
