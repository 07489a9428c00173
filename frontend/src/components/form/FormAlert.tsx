import Typography from '@mui/material/Typography';

interface FormAlertProps {
  readonly text: string | undefined;
  /** Whether nothing of the form follows; what follows is else kept at a distance. */
  readonly isLast?: boolean;
  /** Whether something else announces it. */
  readonly isSilent?: boolean;
}

/** What went wrong with a form as a whole, within it; announced when it appears. */
export function FormAlert({ text, isLast = false, isSilent = false }: FormAlertProps) {
  return (
    <div role={isSilent ? undefined : 'alert'}>
      {text !== undefined && (
        <Typography
          variant="body2"
          sx={{
            [isLast ? 'marginTop' : 'marginBottom']: 2,
            padding: '10px 14px',
            borderRadius: 1,
            borderLeft: '3px solid var(--dt-palette-error-main)',
            background: 'color-mix(in srgb, var(--dt-palette-error-main) 9%, transparent)',
          }}
        >
          {text}
        </Typography>
      )}
    </div>
  );
}
