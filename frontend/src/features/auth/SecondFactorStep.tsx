import Button from '@mui/material/Button';
import type { SecondFactorKind } from '@dune-tide/domain/responses/session';
import { useState } from 'react';
import { FormNote } from '../../form/FormNote.tsx';
import { passkeyObstacle } from '../../staff-ui/passkeys/browser-passkeys.ts';
import type { SignedIn } from './auth-api.ts';
import { CodeForm } from './CodeForm.tsx';
import { PasskeyStep } from './PasskeyStep.tsx';

interface SecondFactorStepProps {
  /** The factors of the account. A recovery code is accepted in any case. */
  readonly kinds: readonly SecondFactorKind[];
  readonly onSignedIn: (signedIn: SignedIn) => void;
  /** Called if the password must be entered again. */
  readonly onExpired: () => void;
}

/** The second step of a sign-in: a passkey if the account has one, or a code (docs/PRODUCT.md, "Second factor"). */
export function SecondFactorStep({ kinds, ...outcomes }: SecondFactorStepProps) {
  const hasApp = kinds.includes('code');
  const hasPasskey = kinds.includes('passkey');
  const obstacle = hasPasskey ? passkeyObstacle() : undefined;
  const [usesPasskey, setUsesPasskey] = useState(hasPasskey && obstacle === undefined);
  if (usesPasskey) {
    return (
      <>
        <PasskeyStep {...outcomes} />
        <Button fullWidth onClick={() => setUsesPasskey(false)} sx={{ marginTop: 1 }}>
          {hasApp ? 'Use a code instead' : 'Use a recovery code instead'}
        </Button>
      </>
    );
  }
  return (
    <>
      {obstacle !== undefined && <FormNote kind="error">{obstacle}</FormNote>}
      <CodeForm {...outcomes} hasApp={hasApp} />
      {hasPasskey && obstacle === undefined && (
        <Button fullWidth onClick={() => setUsesPasskey(true)} sx={{ marginTop: 1 }}>
          Use your passkey
        </Button>
      )}
    </>
  );
}
