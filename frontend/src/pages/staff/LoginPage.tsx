import { heroArt } from '@dune-tide/domain/art/hero';
import type { SecondFactorKind, SessionNeed } from '@dune-tide/domain/responses/session';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { Link as RouterLink, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useRestoreFocus } from '../../layouts/staff/use-restore-focus.ts';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { pageId } from '../../styles/layout-constants.ts';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { OwnPasswordForm } from '../../features/accounts/OwnPasswordForm.tsx';
import { RequiredSecondFactor } from '../../features/accounts/RequiredSecondFactor.tsx';
import { authApi, type SignedIn } from '../../features/auth/auth-api.ts';
import { LoginForm } from '../../features/auth/LoginForm.tsx';
import { SecondFactorStep } from '../../features/auth/SecondFactorStep.tsx';
import { returnPath } from '../../features/auth/return-path.ts';
import { useLiveSession } from '../../features/auth/use-live-session.ts';
import { useLogout } from '../../features/auth/use-logout.ts';
import { useSignInElsewhere } from '../../features/auth/use-sign-in-elsewhere.ts';
import { useLocationState } from '../../routing/location-state.ts';
import { staffPath } from '../../routing/staff-paths.ts';
import { toasts } from '../../toasts/toasts.ts';

/** The steps of a sign-in. A step after the password is shown only to accounts that need it. */
type Step =
  | { readonly kind: 'password'; readonly isExpired?: boolean }
  | { readonly kind: 'confirmation'; readonly kinds: readonly SecondFactorKind[] }
  | { readonly kind: SessionNeed; readonly username: string };

function introductionOf(step: Step, hasSessionEnded: boolean | undefined): string {
  switch (step.kind) {
    case 'confirmation':
      return 'Your password is right. Please confirm with your second factor.';
    case 'new_password':
      return 'Someone else has set your password. Please choose one of your own to continue.';
    case 'second_factor':
      return 'A second factor is required: a passkey or an authenticator app. Please set one up to continue.';
    case 'password':
      if (step.isExpired) return 'That took too long. Please sign in again.';
      return hasSessionEnded ? 'Your session has ended. Please sign in again.' : 'Staff sign-in';
  }
}

/** The sign-in page (docs/PRODUCT.md, "Sign-in page"), in front of the studio's dunes. */
export function LoginPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { key } = useLocation();
  const { hasSessionEnded, isSignedOut = false } = useLocationState();
  const isFirstPage = key === 'default';
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  // Does nothing if the user has left for another page. This page stays mounted until the code of that page has loaded.
  const goOn = () => {
    if (window.location.pathname === staffPath.login) void navigate(returnPath(search.get('from')), { replace: true });
  };
  useRestoreFocus(heading);
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const forms = useRef<HTMLDivElement>(null);
  const [askSession] = authApi.useLazySessionQuery();
  const proceed = ({ needs, username }: SignedIn) => {
    if (needs === null) goOn();
    else setStep({ kind: needs, username });
  };
  const proceedAfterStep = async () => {
    const { data } = await askSession();
    if (data) proceed(data);
    else setStep({ kind: 'password', isExpired: true });
  };
  useSignInElsewhere(proceed);
  const logout = useLogout();
  const isUsed = useRef(false);
  const use = () => void (isUsed.current = true);
  useLiveSession(isSignedOut, (signedIn) => {
    // A user who has started to type may want to use another account.
    if (!isUsed.current) proceed(signedIn);
  });

  // The page was opened by its URL, so the user can start to type.
  useEffect(() => {
    if (isFirstPage) panel.current?.querySelector('input')?.focus();
  }, [isFirstPage]);

  // The focused field of the step before is gone.
  useEffect(() => {
    if (step.kind !== 'password') forms.current?.querySelector<HTMLElement>('input:not([hidden]), button')?.focus();
  }, [step.kind]);

  return (
    <Box
      id={pageId}
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: 'column',
        minHeight: '100dvh',
        overflow: 'clip',
        bgcolor: 'background.sandBand',
        '@media (prefers-color-scheme: dark)': { bgcolor: 'background.paperBand' },
      }}
    >
      <Box
        component="header"
        sx={{
          position: 'relative',
          zIndex: 1,
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: 2,
          padding: '1.5rem clamp(1.25rem, 4.5vw, 4rem)',
        }}
      >
        <Wordmark />
        <Link
          component={RouterLink}
          to="/"
          underline="hover"
          sx={{ typography: 'body1', fontWeight: 500, paddingBlock: 0.5 }}
        >
          View website
        </Link>
      </Box>
      <Box
        component="main"
        sx={{
          position: 'relative',
          zIndex: 1,
          flexGrow: 1,
          display: 'grid',
          justifyItems: 'center',
          alignItems: { xs: 'start', sm: 'center' },
          padding: 'clamp(1rem, 4vh, 3rem) 1.25rem clamp(3rem, 16vh, 11rem)',
        }}
      >
        <Box
          ref={panel}
          sx={{
            width: '100%',
            maxWidth: '25.5rem',
            padding: 'clamp(1.5rem, 5vw, 2.5rem)',
            borderRadius: 2,
            bgcolor: 'background.paper',
            boxShadow: '0 24px 64px -24px rgba(8, 15, 21, 0.4)',
          }}
        >
          <Typography ref={heading} variant="h1" tabIndex={-1}>
            Admin Portal
          </Typography>
          <Typography
            role={step.kind === 'password' ? undefined : 'status'}
            sx={{ marginTop: 0.75, marginBottom: 3, color: 'text.secondary' }}
          >
            {introductionOf(step, hasSessionEnded)}
          </Typography>
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the form inside */}
          <div ref={forms} onInput={use} onSubmit={use}>
            {step.kind === 'password' && (
              <LoginForm
                onSignedIn={proceed}
                onSecondFactorNeeded={(kinds) => setStep({ kind: 'confirmation', kinds })}
              />
            )}
            {step.kind === 'confirmation' && (
              <SecondFactorStep
                kinds={step.kinds}
                onSignedIn={proceed}
                onExpired={() => setStep({ kind: 'password', isExpired: true })}
              />
            )}
            {step.kind === 'new_password' && (
              <OwnPasswordForm
                username={step.username}
                isFullWidth
                onChanged={() => {
                  toasts.success('You are signed in with your new password.', 'Password Changed');
                  void proceedAfterStep();
                }}
              />
            )}
            {step.kind === 'second_factor' && <RequiredSecondFactor onDone={() => void proceedAfterStep()} />}
            {step.kind !== 'password' && (
              <Button
                fullWidth
                onClick={() => {
                  setStep({ kind: 'password' });
                  if (step.kind !== 'confirmation') logout();
                }}
                sx={{ marginTop: 1 }}
              >
                Sign in with another account
              </Button>
            )}
          </div>
        </Box>
      </Box>
      <Box
        aria-hidden="true"
        sx={{
          position: 'absolute',
          bottom: 0,
          right: 0,
          width: 'max(100%, 60rem)',
          pointerEvents: 'none',
          // The page's background is its sky.
          '& path:first-of-type': { fill: 'none !important' },
        }}
      >
        <ArtPicture art={heroArt} decorative />
      </Box>
    </Box>
  );
}
