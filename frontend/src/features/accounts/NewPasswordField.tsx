import { minLength } from '@dune-tide/domain/limits';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { Labelled } from '../../form/Labelled.tsx';

/** The field of a new password. It is typed once, so it can be made visible. */
export function NewPasswordField({ label }: { readonly label?: string }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Labelled name="password" label={label} hint={`At least ${minLength.password} characters`}>
      {({ describedBy, ...wiring }) => (
        <OutlinedInput
          {...wiring}
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          inputProps={{ 'aria-describedby': describedBy, autoCapitalize: 'none', spellCheck: false }}
          endAdornment={
            <Button
              size="small"
              aria-label={isShown ? 'Hide password' : 'Show password'}
              aria-controls={wiring.id}
              onClick={() => setIsShown(!isShown)}
              sx={{ flexShrink: 0, marginRight: -1 }}
            >
              {isShown ? 'Hide' : 'Show'}
            </Button>
          }
        />
      )}
    </Labelled>
  );
}
